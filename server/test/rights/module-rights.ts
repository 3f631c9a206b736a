import type { Transaction } from 'kysely'
import type { Tables } from '../../src/db/schema.ts'
import type { Secrets } from '../../src/lib/security/secrets.ts'
import type { Line } from './organisations/lines.ts'

/**
 * Objects that an endpoint acts on; they decide which roles must be refused: `public` objects without an owner, `own` the
 * caller, `owned` one object of the caller that the path names, `user` another user that the path or body names, `site`
 * objects that all administrators share, `root` actions of root alone, `option` settings whose roles the registry of options
 * states. An endpoint without a kind fails the test.
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

/** A call of an API key. */
export interface PlantedCall {
  readonly requestId: string
  readonly userId: number
  readonly tokenId: number
  readonly tokenName: string
  /** In its request and in its answer. */
  readonly text: string
}

export interface PlantedRows {
  readonly ids: readonly number[]
  /** Values of fields of queries that name the rows. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** Calls that administrators alone may make; the first shows the text. Paths without `/api/`. */
  readonly ofStaff: readonly (readonly [method: string, path: string])[]
}

/** A call of the console; its path without `/api/`. */
export interface ModuleEdit {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Values by which the tests of rights call a module's endpoints: `modules/<name>/tests/rights.ts`. */
export interface ModuleRights {
  readonly kinds: Partial<Readonly<Record<EndpointKind, readonly string[]>>>
  /** Gives a person what endpoints of the module act on, and answers the numbers by name. */
  readonly give?: (query: Transaction<Tables>, secrets: Secrets, userId: number) => Promise<RightsOwner['inModules']>
  /** Bodies where the smallest one that the schema takes would be refused. */
  readonly bodies?: Readonly<Record<string, (about: { readonly owner: RightsOwner }) => unknown>>
  /** Owned object that an id in a path names, by the beginning of the path. */
  readonly queries?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Kind of the thing that an id in a path names, by the beginning of the path. */
  readonly ids?: readonly (readonly [beginning: string, name: string])[]
  /** Names of the numbers that parameters such as `:note` stand for: things of the person that the call is about. */
  readonly params?: Readonly<Record<string, string>>
  /** Beginnings of paths in which an id names another user. */
  readonly userIds?: readonly string[]
  /** Calls that need an address outside to succeed. */
  readonly needsOutside?: readonly string[]
  /** Tables in which the wallet of an organisation has no rows although a column could name it, each with the reason. */
  readonly notOfWallets?: Readonly<Record<string, string>>
  /** Tables with the rows of users, by `user_id`, that calls of others must leave as they are. */
  readonly ofUsers?: readonly string[]
  /** Calls of users that answer without what belongs to others. */
  readonly empty?: readonly string[]
  /** Changes of users that the audit log need not hold, each with the reason. */
  readonly untraced?: Readonly<Record<string, string>>
  /** Calls of users that know no organisation. */
  readonly unaware?: readonly string[]
  /** The module's part in the tests that keep organisations apart. */
  readonly organisations?: {
    /** Calls about an organisation, each with its answer to things of another one. */
    readonly lines: Readonly<Record<string, Line>>
    /** Kinds of planted values that its owner finds. */
    readonly seenByOwner: readonly string[]
    /** The places that see values of a kind; undefined for kinds that are none of the module's. */
    insidersOf(kind: string): readonly string[] | undefined
  }
  /** Texts of columns that take certain words alone, as `table.column`. */
  readonly columns?: Readonly<Record<string, string>>
  /** Writes rows about a call that hold its text. */
  readonly plant?: (query: Transaction<Tables>, secrets: Secrets, call: PlantedCall) => Promise<PlantedRows>
  /** Changes after which the plans of calls must be the present ones. */
  readonly edits?: Readonly<Record<string, (pick: number, root: RightsOwner) => ModuleEdit>>
}

/** Columns that jobs of tasks and of modules write by themselves. */
const ofJobs: ReadonlySet<string> = new Set(['checked_time', 'noticed_time', 'over_since', 'last_value', 'updated_at'])

/** Rows as one text, without what jobs write into them meanwhile. */
export const pictureText = (rows: unknown): string =>
  JSON.stringify(rows, (name, value: unknown) => (ofJobs.has(name) ? undefined : value))
