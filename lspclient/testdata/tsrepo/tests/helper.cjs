function helper() {} //@def(helper)
function finder() {} //@def(finder)
module.exports = { helper, find: finder }; //@use(helper), use(finder)
