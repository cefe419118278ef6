/* a bcd */ pub mod outer { //@def(outer), name("wire::over::outer")
	pub struct Inner; //@def(outer.Inner), name("over::outer::Inner")
	impl Inner { //@use(outer.Inner)
		pub fn reach(&self) -> &str { "📡" } //@def(outer.Inner.reach), name("wire::over::outer::Inner::reach"), name("Inner::reach")
	}
	pub struct Other; //@def(outer.Other)
	impl Other { //@use(outer.Other)
		pub fn reach(&self) -> usize { Inner.reach().len() } //@def(outer.Other.reach), use(outer.Inner), use(outer.Inner.reach), name("outer::Other::reach"), calls(outer.Other.reach, outer.Inner.reach)
	}
}

pub fn größe(länge: usize) -> usize { länge } //@def(größe), name("wire::over::größe"), rename(größe, weite)

pub fn messen() -> (&'static str, usize) { //@def(messen)
	("📡é", größe(3)) //@use(größe), calls(messen, größe), snap(0, größe), snap(7, größe)
}
