import { ownMember } from '@tollgate/contract/own-member'
import { useMemo } from 'react'
import { type AuditEntry, channelStatus, tokenStatus, userStatus } from '../../lib/api/contract.ts'
import { useStatus } from '../../lib/status.ts'
import { formatQuotaSum } from '../../lib/text/format.ts'
import { useMomentText } from '../display/time/time-text.tsx'
import { changesOf, type FieldChange, valueText } from './changes.ts'
import { actionWord, nounWord, type SayAudit, useAuditMessages } from './messages.ts'
import { actorName } from './names.tsx'
import { hasSentence, type SaySentence, useSentenceMessages } from './sentence-messages.ts'

/** Words and formats for sentences about entries. */
export interface AuditWords {
  readonly say: SayAudit
  readonly saySentence: SaySentence
  /** Quota units as money. */
  money(quota: number): string
  /** Unix seconds as a moment. */
  moment(at: number): string
}

/** The same object until the language, the zone or how the site shows amounts changes. */
export const useAuditWords = (): AuditWords => {
  const [say, saySentence] = [useAuditMessages(), useSentenceMessages()]
  const [status, moment] = [useStatus(), useMomentText()]
  return useMemo(
    () => ({ say, saySentence, money: (quota) => formatQuotaSum(quota, status), moment }),
    [say, saySentence, status, moment],
  )
}

/** `Channel` within a sentence; names that begin with several capitals stay as they are. */
const withinSentence = (noun: string): string =>
  /^\p{Lu}\p{Ll}/u.test(noun) ? noun.charAt(0).toLowerCase() + noun.slice(1) : noun

/** `channel Azure`, `setting RetryTimes`; the number where a thing has no name. */
const objectText = ({ object, object_id, object_name }: AuditEntry, { say }: AuditWords): string => {
  const noun = withinSentence(nounWord(object, say))
  if (object_name !== undefined) return `${noun} ${object_name}`
  if (object_id === '' || object_id === '0') return noun
  return /^\d+$/.test(object_id) ? `${noun} #${object_id}` : `${noun} ${object_id}`
}

/** The person or thing within the object that the change is about: a member, a project, who signed in. */
const subjectText = (entry: AuditEntry): string => {
  const { names = {}, object, object_name, object_id, actor_name } = entry
  if (object === 'session') return object_name ?? (actor_name || `#${object_id}`)
  const name = names.user_id ?? names.subject_id ?? names.project_id ?? names.team_id
  if (name !== undefined) return name
  const id = ownMember(entry.after, 'user_id') ?? ownMember(entry.after, 'subject_id')
  return id === undefined ? (object_name ?? '') : `#${valueText(id)}`
}

const verbOf = (action: string): string => action.slice(action.indexOf('.') + 1)

/** An entry as a sentence: "root changed channel Azure". */
export const sentenceOf = (entry: AuditEntry, words: AuditWords): string => {
  const { say, saySentence } = words
  const key = `did_${verbOf(entry.action)}`
  const values = {
    actor: actorName(entry, say),
    object: objectText(entry, words),
    name: subjectText(entry),
    what: actionWord(entry.action, say),
  }
  return hasSentence(key) ? saySentence(key, values) : saySentence('did_other', values)
}

const moneyFields: ReadonlySet<string> = new Set(['quota', 'remain_quota', 'used_quota', 'budget'])

/** `amount` is money in caps and transfers of organisations; limits count other things as well. */
const isMoney = ({ object }: AuditEntry, field: string): boolean =>
  moneyFields.has(field) || (field === 'amount' && object === 'organisation')

const timeFields: ReadonlySet<string> = new Set(['expired_time', 'expires_time'])

type State = 'enabled' | 'disabled' | 'auto' | 'expired' | 'exhausted'

/** The words for the numbers of states, by kind of object. */
const states: ReadonlyMap<string, ReadonlyMap<number, State>> = new Map([
  [
    'channel',
    new Map<number, State>([
      [channelStatus.enabled, 'enabled'],
      [channelStatus.disabled, 'disabled'],
      [channelStatus.autoDisabled, 'auto'],
    ]),
  ],
  [
    'user',
    new Map<number, State>([
      [userStatus.enabled, 'enabled'],
      [userStatus.disabled, 'disabled'],
    ]),
  ],
  [
    'token',
    new Map<number, State>([
      [tokenStatus.enabled, 'enabled'],
      [tokenStatus.disabled, 'disabled'],
      [tokenStatus.expired, 'expired'],
      [tokenStatus.exhausted, 'exhausted'],
    ]),
  ],
])

const longest = 60
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/** A value of a field: money as money, states and moments in words, ids by name. */
const shownValue = (entry: AuditEntry, field: string, value: unknown, words: AuditWords): string => {
  const { saySentence, money, moment } = words
  if (typeof value === 'number') {
    if (isMoney(entry, field)) return money(value)
    if (timeFields.has(field)) return value > 0 ? moment(value) : saySentence('never')
    const state = field === 'status' ? states.get(entry.object)?.get(value) : undefined
    if (state !== undefined) return saySentence(`state_${state}`)
  }
  return cut(valueText(value).replace(/\s+/g, ' '))
}

const listOf = (value: unknown): readonly string[] | undefined => {
  if (Array.isArray(value)) return value.map(valueText)
  return typeof value === 'string' && value.includes(',') ? value.split(',').map((part) => part.trim()) : undefined
}

/** "+gpt-5, −gpt-4" of two lists; undefined where the values are none. */
const listChange = (before: unknown, after: unknown): string | undefined => {
  const [old, fresh] = [listOf(before), listOf(after)]
  if (old === undefined && fresh === undefined) return undefined
  const [from, to] = [old ?? (before ? [valueText(before)] : []), fresh ?? (after ? [valueText(after)] : [])]
  const parts = [
    ...to.filter((one) => !from.includes(one)).map((one) => `+${one}`),
    ...from.filter((one) => !to.includes(one)).map((one) => `−${one}`),
  ]
  return cut(parts.join(', '))
}

const unread: ReadonlySet<string> = new Set([
  ...[
    'id',
    'key',
    'key_hint',
    'created_time',
    'updated_time',
    'accessed_time',
    'subject',
    'subject_id',
    'user_id',
    'user_agent',
  ],
])

/** A value that says nothing of a thing that is new or gone: none, or what most have. */
const isUsual = ({ before, after }: FieldChange): boolean => {
  const value = before ?? after
  return (
    [undefined, null, '', 0, false, true, 1].includes(value as null) || (Array.isArray(value) && value.length === 0)
  )
}

/** Fields that the sentence says already, or that mean nothing to a reader. */
const isSaid = (entry: AuditEntry, { field, before, after }: FieldChange): boolean => {
  if (field === 'status' && /^(auto_)?(en|dis)able$/.test(verbOf(entry.action))) return true
  if ((field === 'name' || field === 'username') && (before === undefined || after === undefined)) return true
  return unread.has(field)
}

const mostOfNew = 3

const lineOf = (entry: AuditEntry, { field, before, after }: FieldChange, words: AuditWords): string => {
  const { saySentence } = words
  const key = `field_${field}`
  // Whoever reads the name of an option reads it in the sentence.
  const label =
    entry.object === 'option' && field === entry.object_id ? '' : hasSentence(key) ? saySentence(key) : field
  const value = (of: unknown): string => shownValue(entry, field, of, words)
  const change =
    before === undefined || after === undefined
      ? value(before ?? after)
      : (listChange(before, after) ?? `${value(before)} → ${value(after)}`)
  return label === '' ? change : `${label} ${change}`
}

/** The changed fields that the sentence leaves open, from → to. Of things that are new or gone only the first few. */
export const changeLinesOf = (entry: AuditEntry, words: AuditWords): readonly string[] => {
  const named = (change: FieldChange): FieldChange => {
    const name = ownMember(entry.names ?? {}, change.field)
    return name === undefined || change.after === undefined ? change : { ...change, before: undefined, after: name }
  }
  const changes = changesOf(entry).filter((change) => !isSaid(entry, change))
  const isWhole = /^(create|delete|copy)$/.test(verbOf(entry.action))
  return (isWhole ? changes.filter((change) => !isUsual(change)).slice(0, mostOfNew) : changes).map((change) =>
    lineOf(entry, named(change), words),
  )
}

/** The whole of an entry in one line. */
export const entryText = (entry: AuditEntry, words: AuditWords): string =>
  [sentenceOf(entry, words), ...changeLinesOf(entry, words)].join(' · ')
