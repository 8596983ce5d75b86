import { watchId, type WatchName } from "./watches";
import { can, type Permission, type Role } from "./permission";

type Identity = { id: string; tenant: string; roles: readonly Role[] };

const WATCH = "watch:";

/** Only this file can make one, so a provider call without a permission check does not compile. */
class ActorProof<P extends Permission> {
  // A private member makes the type nominal.
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

  /** Nobody waits for a watch's call. */
  get isWatch(): boolean {
    return this.id.startsWith(WATCH);
  }
}

export type Actor<P extends Permission = Permission> = ActorProof<P>;

export type Person = { staffId: string; tenant: string; roles: readonly Role[] };

export function grant<P extends Permission>(person: Person, permission: P): Actor<P> | null {
  const { staffId: id, tenant, roles } = person;
  return can(roles, permission) ? new ActorProof(permission, { id, tenant, roles }) : null;
}

/** Acts for nobody: the audit record shows the watch's name. */
export function watchActor<P extends Permission>(watch: WatchName, tenant: string, permission: P): Actor<P> {
  return new ActorProof(permission, { id: watchId(watch), tenant, roles: [] });
}
