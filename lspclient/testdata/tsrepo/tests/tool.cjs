const { helper } = require("./helper.cjs"); //@use(helper)
helper(); //@use(helper)
