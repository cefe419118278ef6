function sealed() {} //@def(sealed)
exports.sealed = sealed; //@use(sealed)
