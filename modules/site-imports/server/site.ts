import type {
  FailureClass,
  ImportKind,
  ImportProduct,
  LimitMeasure,
  LimitSubject,
  LimitWindow,
  OrganisationRole,
} from '@tollgate/contract'
import type { CapPeriod } from '#server/ledger/caps/cap-accounts.ts'
import type { NoteBook } from './notes.ts'

/** How the source stored a password. A plain one is hashed before it is stored here. */
export type SourcePassword =
  | { readonly scheme: 'stored'; readonly text: string }
  | { readonly scheme: 'sha256'; readonly hex: string }
  | { readonly scheme: 'plain'; readonly text: string }
  | { readonly scheme: 'none' }

/** A user of the source, in the terms of this gateway. Figures in quota units, times in unix seconds. */
export interface MovedUser {
  readonly sourceId: string
  readonly username: string
  readonly password: SourcePassword
  readonly displayName: string
  readonly role: number
  readonly status: number
  readonly email: string
  readonly githubId: string
  readonly oidcId: string
  readonly wechatId: string
  readonly telegramId: string
  readonly linuxDoId: string
  /** The system access token itself; empty for none. */
  readonly accessToken: string
  readonly quota: number
  readonly usedQuota: number
  readonly requestCount: number
  readonly group: string
  readonly affCode: string
  readonly affCount: number
  readonly affQuota: number
  readonly affHistory: number
  /** Empty for nobody. */
  readonly inviterId: string
  readonly deletedAt: number | null
  /** JSON text. */
  readonly setting: string
  readonly createdTime: number
  readonly lastLoginTime: number
}

/** Payer of a key's calls that is no user. */
export interface MovedPlace {
  readonly organisationId: string
  readonly projectId: string
  /** The person who uses the key; empty for a machine. */
  readonly memberId: string
}

export interface MovedToken {
  readonly sourceId: string
  /** The user who pays; without meaning where there is a `place`. */
  readonly userId: string
  readonly place?: MovedPlace
  /** The key without `sk-`, or the SHA-256 (hex) of the whole key with a hint of it. */
  readonly key: { readonly text: string } | { readonly sha256: string; readonly hint: string }
  readonly name: string
  readonly status: number
  readonly createdTime: number
  readonly accessedTime: number
  /** -1 for never. */
  readonly expiredTime: number
  readonly remainQuota: number
  readonly usedQuota: number
  readonly unlimited: boolean
  /** Undefined for every model. */
  readonly models: readonly string[] | undefined
  /** Addresses and networks, one per line. */
  readonly allowIps: string
  readonly group: string
  readonly deletedAt: number | null
}

/** An organisation with its wallet. */
export interface MovedOrganisation {
  readonly sourceId: string
  readonly name: string
  /** Empty for all. */
  readonly models: readonly string[]
  readonly quota: number
  readonly usedQuota: number
  readonly createdTime: number
}

export interface MovedTeam {
  readonly sourceId: string
  readonly organisationId: string
  readonly name: string
  /** Empty for all. */
  readonly models: readonly string[]
  readonly createdTime: number
}

export interface MovedProject extends MovedTeam {
  readonly teamId: string
}

/** The place of a person in an organisation, or in one of its teams. */
export interface MovedMember {
  readonly sourceId: string
  readonly organisationId: string
  /** Empty for the whole organisation. */
  readonly teamId: string
  readonly userId: string
  readonly role: OrganisationRole
  /** Cap of the person's spending from the wallet. */
  readonly cap?: { readonly period: CapPeriod; readonly amount: number }
}

/** Subject of a limit; `organisation` is the user that is its wallet. */
export type MovedSubject =
  | Extract<LimitSubject, 'key' | 'user' | 'team' | 'project' | 'channel' | 'group'>
  | 'organisation'

export interface MovedLimit {
  readonly sourceId: string
  readonly name: string
  readonly measure: LimitMeasure
  readonly amount: number
  readonly window: LimitWindow
  /** Length of a rolling window, at least 1; of other windows 1. */
  readonly hours: number
  readonly timeZone: string
  readonly subject: { readonly kind: MovedSubject; readonly sourceId: string }
  /** The only person of the subject whose calls are counted; empty for all calls. */
  readonly memberId: string
  /** Empty for every model. */
  readonly model: string
  /** Usage in the window under way. */
  readonly used: number
  /** Percentages at which notices are sent. */
  readonly tellAt: readonly number[]
}

export interface MovedChannel {
  readonly sourceId: string
  readonly type: number
  readonly name: string
  /** One key per line, or a document. */
  readonly key: string
  /** Positions of keys that are off, with their status. */
  readonly keyStatus: ReadonlyMap<number, number>
  readonly status: number
  readonly organization: string
  readonly testModel: string
  readonly weight: number
  readonly createdTime: number
  readonly baseUrl: string
  readonly other: string
  readonly models: string
  readonly group: string
  readonly usedQuota: number
  readonly modelMapping: string
  readonly statusCodeMapping: string
  readonly priority: number
  readonly autoBan: boolean
  readonly otherInfo: string
  readonly tag: string
  readonly setting: Readonly<Record<string, unknown>>
  readonly paramOverride: string
}

/** A name that stands for models, which are asked in their order. */
export interface MovedVirtualModel {
  /** The id in the source, too. */
  readonly name: string
  readonly description: string
  /** After which failures the next model is asked. */
  readonly fallsBackOn: readonly FailureClass[]
  readonly models: readonly string[]
  /** Models of the name for some keys, or for the keys of some teams; the first rule that fits counts. */
  readonly rules: readonly {
    readonly name: string
    readonly of: 'token' | 'team'
    readonly sourceIds: readonly string[]
    readonly models: readonly string[]
  }[]
}

export interface MovedCode {
  readonly sourceId: string
  readonly userId: string
  readonly code: string
  readonly status: number
  readonly name: string
  readonly quota: number
  readonly createdTime: number
  readonly redeemedTime: number
  readonly usedUserId: string
  readonly expiredTime: number
}

export interface MovedSecondFactor {
  readonly sourceId: string
  readonly userId: string
  /** Base32. */
  readonly secret: string
  readonly createdTime: number
}

export interface MovedLog {
  readonly sourceId: string
  readonly userId: string
  /** The organisation that paid; empty where the user did. */
  readonly organisationId: string
  readonly tokenId: string
  readonly channelId: string
  readonly createdAt: number
  readonly type: number
  readonly content: string
  readonly username: string
  readonly tokenName: string
  readonly modelName: string
  readonly quota: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Seconds. */
  readonly useTime: number
  readonly isStream: boolean
  readonly group: string
  readonly ip: string
  readonly other: Readonly<Record<string, unknown>>
}

/** An option's key and text as this gateway stores them. */
export interface MovedOption {
  readonly key: string
  readonly text: string
  /** Written down for the source, which stored no such option. */
  readonly made?: boolean
}

/** A price as ratios, see `billing/prices.ts`. */
export interface ListedRatios {
  readonly model: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

type Pages<Row> = AsyncIterable<readonly Row[]>

/** Another gateway's site, read page by page in an order that does not change. */
export interface SourceSite {
  readonly product: ImportProduct
  /** Rows of each kind, for progress. */
  total(kind: ImportKind): Promise<number>
  /** `modelsServed` are models of the source's channels. */
  options(): Promise<readonly MovedOption[]>
  users(): Pages<MovedUser>
  organisations(): Pages<MovedOrganisation>
  teams(): Pages<MovedTeam>
  projects(): Pages<MovedProject>
  /** Those of the organisations of `organisations`. */
  members(): Pages<MovedMember>
  tokens(): Pages<MovedToken>
  channels(): Pages<MovedChannel>
  virtualModels(): Pages<MovedVirtualModel>
  codes(): Pages<MovedCode>
  secondFactors(): Pages<MovedSecondFactor>
  limits(): Pages<MovedLimit>
  logs(): Pages<MovedLog>
  /** Notes what the source has that cannot be moved at all. */
  noteRest(): Promise<void>
}

/** Opens a site of a product over its database. Throws Error where the database is not of this product. */
export type OpenSite = (parts: OpenSiteParts) => Promise<SourceSite>

export interface OpenSiteParts {
  readonly source: import('./source/source.ts').Source
  readonly notes: NoteBook
  /** Quota units per dollar here, for sources that count in dollars. */
  readonly quotaPerUnit: number
  /** The price of a model in the price lists; undefined where they have none. */
  listed(model: string): ListedRatios | undefined
  /** Unix seconds. */
  readonly now: number
  /** Key with which the source encrypts its secrets; empty if unknown. */
  readonly saltKey: string
}
