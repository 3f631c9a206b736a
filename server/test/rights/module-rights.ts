import type { Transaction } from 'kysely'
import type { Tables } from '../../src/db/schema.ts'
import type { Secrets } from '../../src/lib/security/secrets.ts'

/**
 * What an endpoint acts on, which decides who else must be refused:
 * `public` nobody's, `own` the caller, `owned` one thing of the caller's named in the path, `user` another user named in
 * the path or body, `site` what all administrators share, `root` what only root may do, `option` what the registry of
 * options decides. An endpoint that is missing here fails the test: say what it is.
 */
export type EndpointKind = 'public' | 'own' | 'owned' | 'user' | 'site' | 'root' | 'option'

/** The person whose things a call is about. */
export interface RightsOwner {
  readonly id: number
  readonly tokenId: number
  readonly channelId: number
  readonly logId: number
  /** Numbers of what the person owns in modules, by name. */
  readonly inModules: Readonly<Record<string, number>>
}

/** What the tests of rights need to call a module's endpoints: `modules/<name>/tests/rights.ts`. */
export interface ModuleRights {
  readonly kinds: Partial<Readonly<Record<EndpointKind, readonly string[]>>>
  /** Gives a person what endpoints of the module act on, and answers the numbers by name. */
  readonly give?: (query: Transaction<Tables>, secrets: Secrets, userId: number) => Promise<RightsOwner['inModules']>
  /** Bodies where the smallest one that the schema takes would be refused. */
  readonly bodies?: Readonly<Record<string, (about: { readonly owner: RightsOwner }) => unknown>>
  /** What an id in a path names, by the beginning of the path. */
  readonly ids?: readonly (readonly [beginning: string, name: string])[]
  /** Calls that need an address outside to succeed. */
  readonly needsOutside?: readonly string[]
  /** Tables in which the wallet of an organisation has no rows although a column could name it, each with the reason. */
  readonly notOfWallets?: Readonly<Record<string, string>>
}
