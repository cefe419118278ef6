function helper() {} //@def(helper)
module.exports = { helper }; //@use(helper)
