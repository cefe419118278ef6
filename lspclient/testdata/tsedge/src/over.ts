export function tune(value: number): number; //@name("tune[0]")
export function tune(value: string): string; //@name("src/over.ts:tune[1]")
export function tune(value: unknown): unknown { return value; } //@name("tune[2]"), name("tune")

export namespace Outer { //@def(Outer)
	export class Inner { //@def(Outer.Inner), name("Outer/Inner")
		reach(): unknown { return [tune(1), tune("📡"), this.reach]; } //@def(Outer.Inner.reach), use(Outer.Inner.reach), name("Outer::Inner::reach"), name("Inner#reach")
	}
	export class Other { //@def(Outer.Other)
		reach(): unknown { return new Inner().reach(); } //@calls(Outer.Other.reach, Outer.Inner), def(Outer.Other.reach), use(Outer.Inner), use(Outer.Inner.reach), name("over.Outer.Other.reach"), calls(Outer.Other.reach, Outer.Inner.reach)
	}
}

export function größe(länge: number): number { return länge; } //@def(größe), name("over.größe"), rename(größe, weite)

export function messen(): unknown { //@def(messen)
	return ["📡é", größe(3)]; //@use(größe), calls(messen, größe), snap(0, größe), snap(12, größe)
}
