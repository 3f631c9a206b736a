import type {
  BodyOf,
  createProjectKey,
  Language,
  LimitState,
  LogPage,
  listOrganisationLogs,
  OrganisationStatement,
  QueryOf,
  Token,
} from '@tollgate/contract'
import type { Selectable, Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import type { Actor } from '../../http/actor.ts'
import type { MonthQuery } from '../../ledger/months/months.ts'
import type { Movements } from '../../ledger/movements.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { ReadTexts } from './domains/dns-texts.ts'

/** The wallet of an organisation as the owner of keys, the person who acts, and what a new key belongs to. */
export interface KeyOwner {
  readonly id: number
  readonly username: string
  readonly group: string
  readonly ip: string
  readonly actor: { readonly id: number; readonly username: string }
  readonly project?: { readonly project_id: number; readonly member_id: number }
}

/** Actions of organisations on keys, see `features/tokens`. */
export interface Keys {
  /** The answer holds the whole key, except where it is made for another person than the actor. */
  create(owner: KeyOwner, fields: Omit<BodyOf<typeof createProjectKey>, 'project_id' | 'member_id'>): Promise<Token>
  setStatus(owner: KeyOwner, id: number, status: number): Promise<Token>
  remove(owner: KeyOwner, id: number): Promise<void>
  /** Answers the number of the key that goes on. */
  move(owner: KeyOwner, id: number, place: NonNullable<KeyOwner['project']>): Promise<number>
  /** The whole key, without `sk-`. */
  reveal(owner: KeyOwner, id: number): Promise<string>
  /** The same key under a new secret, which the answer holds and others are not shown. */
  rotate(owner: KeyOwner, id: number): Promise<Token>
  /** A stored key as the API shows it `now`, in unix seconds. */
  show(row: Selectable<Tables['tokens']>, now: number): Token
}

/** Log that organisations read, see `features/logs`. */
export interface WalletLogs {
  list(
    reader: { readonly userId: number; readonly tokenIds: readonly number[]; readonly language: Language },
    query: QueryOf<typeof listOrganisationLogs>,
  ): Promise<LogPage>
}

/** A month of a wallet. */
export interface WalletMonth
  extends Omit<OrganisationStatement, 'charges' | 'projects' | 'members' | 'tags' | 'models'> {
  readonly charges: readonly {
    readonly tokenId: number
    readonly model: string
    readonly count: number
    readonly quota: number
    readonly promptTokens: number
    readonly completionTokens: number
  }[]
}

/** A mail that invites somebody. */
export interface InvitationNotice {
  readonly to: string
  /** Language of the inviter; the account of the address may have another one. */
  readonly language: Language
  readonly inviter: string
  readonly organisation: string
  readonly team: string
  readonly secret: string
  readonly days: number
}

export interface OrganisationParts {
  readonly database: Database
  readonly ledger: Pick<Movements, 'move' | 'refreshCap'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly secrets: Pick<Secrets, 'digest'>
  /** Reads the DNS of domains that owners claim. */
  readonly readTexts: ReadTexts
  /** Forgets what the gateway knows of the keys of a user, on every node. */
  readonly userChanged: (userId: number) => void
  /** Option OrganisationsEnabled: whether users may found organisations; administrators always may. */
  readonly usersFound: () => boolean
  /** The identity providers of organisations, see `features/third-party`. */
  readonly providers: {
    /** Ends what a provider of the organisation is enforced for; answers whether there was anything. */
    endEnforcement(trx: Transaction<Tables>, organisationId: number): Promise<boolean>
    /** Reads them anew, on every node. */
    changed(): Promise<void>
  }
  /** Option OrganisationProvidersEnabled: whether organisations have identity providers of their own. */
  readonly providersOpen: () => boolean
  /** Sends the link of an invitation; answers false where the site sends no mail, or could not. */
  readonly sendInvitation: (notice: InvitationNotice) => Promise<boolean>
  /** A month of a wallet, with charges by key and model. */
  readonly walletMonth: (walletId: number, query: MonthQuery) => Promise<WalletMonth>
  /** States of the limits for calls of a key, see `features/limits`. */
  readonly limitStates: (keyId: number) => Promise<LimitState[]>
  readonly clock: Clock
}

/** Audit entry of an organisation: actor, action, organisation. */
export const traceOf = (actor: Actor, action: string, organisationId: number, after: object = {}): Trace => ({
  actor: { id: actor.id, username: actor.username },
  action: `organisation.${action}`,
  object: 'organisation',
  objectId: organisationId,
  ip: actor.ip,
  after: { ...after },
})
