import { role } from '@tollgate/contract'

/**
 * Recognisable values that tests plant where secrets and other people's data are kept: `canaryZ<kind>Z<owner>Z`. Letters
 * and digits only, so that they pass for keys, hashes and names.
 */
export const canary = (kind: CanaryKind, owner: number, length = 0): string =>
  `canaryZ${kind}Z${owner}Z`.padEnd(length, 'q')

type Rule = 'nobody' | 'owner' | 'owner or admin' | 'admin' | 'root'

/** Readers who may find a canary of this kind in an answer. */
const rules = {
  password: 'nobody',
  accesstoken: 'nobody',
  sessionid: 'nobody',
  totp: 'nobody',
  recovery: 'nobody',
  onetimecode: 'nobody',
  credential: 'nobody',
  webhooksecret: 'nobody',
  channelkey: 'nobody',
  optionsecret: 'nobody',
  clientsecret: 'nobody',
  redemption: 'admin',
  order: 'owner or admin',
  callback: 'admin',
  apikey: 'owner',
  webhookpath: 'owner',
  mail: 'owner or admin',
  identity: 'owner or admin',
  agent: 'owner or admin',
  log: 'owner or admin',
  ledgernote: 'owner or admin',
  tokenname: 'owner or admin',
  organisation: 'owner or admin',
  provider: 'owner or admin',
  attempts: 'admin',
  cost: 'admin',
  usernote: 'admin',
  channelname: 'admin',
  trail: 'admin',
  rootoption: 'root',
} as const satisfies Record<string, Rule>
export type CanaryKind = keyof typeof rules

export interface Reader {
  readonly id: number
  /** 0 for an unknown user. */
  readonly role: number
}

const mayRead: Readonly<Record<Rule, (reader: Reader, owner: number) => boolean>> = {
  nobody: () => false,
  owner: (reader, owner) => reader.id === owner,
  'owner or admin': (reader, owner) => reader.id === owner || reader.role >= role.admin,
  admin: (reader) => reader.role >= role.admin,
  root: (reader) => reader.role >= role.root,
}

const isKind = (kind: string): kind is CanaryKind => Object.hasOwn(rules, kind)

/** The canaries in an answer that this reader may not see. */
export const leaksIn = (answer: string, reader: Reader): string[] =>
  [...answer.matchAll(/canaryZ([a-z]+)Z(\d+)Z/g)].flatMap(([found, kind = '', owner]) =>
    isKind(kind) && mayRead[rules[kind]](reader, Number(owner)) ? [] : [found],
  )

/** The kinds of canaries in an answer. */
export const kindsIn = (answer: string): string[] =>
  [...answer.matchAll(/canaryZ([a-z]+)Z\d+Z/g)].map(([, kind = '']) => kind)

/** Columns that no answer carries, for any role. */
const unspeakable = /"(\w*_(hash|cipher)|credential_id|public_key)":\s*"[^"]/g

export const columnsIn = (answer: string): string[] => [...answer.matchAll(unspeakable)].map(([found]) => found)
