const { helper, find: search } = require("./helper.cjs"); //@use(helper), use(finder)
const all = require("./seal.cjs");

helper(); //@use(helper)
search(all.sealed()); //@use(finder), use(sealed)
