import { can, type Permission, type Role } from "./permission";

type Identity = { id: string; tenant: string; roles: readonly Role[] };

const WATCH = "watch:";

/**
 * Proof that a permission was granted: nothing but this file can make one, so a call to the bank without a check does
 * not compile.
 */
class ActorProof<P extends Permission> {
  // A private member makes the type nominal: no object literal passes for it.
  readonly #permission: P;
  readonly id: string;
  readonly tenant: string;
  readonly roles: readonly Role[];

  constructor(permission: P, identity: Identity) {
    this.#permission = permission;
    this.id = identity.id;
    this.tenant = identity.tenant;
    this.roles = identity.roles;
  }

  get permission(): P {
    return this.#permission;
  }

  /** Nobody waits for what it asks. */
  get isWatch(): boolean {
    return this.id.startsWith(WATCH);
  }
}

export type Actor<P extends Permission = Permission> = ActorProof<P>;

export type Person = { staffId: string; tenant: string; roles: readonly Role[] };

/** The person as an actor for this permission, or null when none of the roles grants it. */
export function grant<P extends Permission>(person: Person, permission: P): Actor<P> | null {
  const { staffId: id, tenant, roles } = person;
  return can(roles, permission) ? new ActorProof(permission, { id, tenant, roles }) : null;
}

/** A background watch reads on nobody's behalf: the record shows its name. */
export function watchActor<P extends Permission>(watch: string, tenant: string, permission: P): Actor<P> {
  return new ActorProof(permission, { id: `${WATCH}${watch}`, tenant, roles: [] });
}
