import { z } from 'zod'
import { isObject, type JsonObject, membersOf } from '../../conversation/json.ts'

/**
 * Settings of sessions with a browser key (ai.google.dev/gemini-api/docs/live-api/ephemeral-tokens). Google's JSON names members in two
 * ways, `expireTime` and `expire_time`: here, both are the same.
 */
export interface SessionConstraints {
  /** Settings that clients cannot change; undefined where they may choose all. */
  readonly setup: JsonObject | undefined
  /** Paths of the locked members, such as `generationConfig.temperature`; undefined where all of `setup` is locked. */
  readonly locked: readonly string[] | undefined
}

export interface LiveTokenRequest extends SessionConstraints {
  /** Sessions that it may open; 0 for any number. */
  readonly uses: number
  /** Unix milliseconds: when its sessions end, and until when they may begin. */
  readonly expires: number
  readonly newSessionExpires: number
}

const usualLifeMs = 30 * 60_000
const usualBeginMs = 60_000
const longestMs = 20 * 3_600_000
const mostPaths = 100

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const withCamelNames = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [camel(name), value]))

const timeSchema = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

const requestSchema = z.object({
  uses: z.number().int().min(0).max(1_000_000).default(1),
  expireTime: timeSchema.optional(),
  newSessionExpireTime: timeSchema.optional(),
  bidiGenerateContentSetup: z.record(z.string(), z.unknown()).optional(),
  fieldMask: z
    .string()
    .max(8000)
    .transform((text) => text.split(',').filter((path) => path !== ''))
    .pipe(z.array(z.string().regex(/^[\w.]+$/)).max(mostPaths))
    .optional(),
})

/** Reads a request for a key; returns an error text for an invalid one. */
export const readLiveTokenRequest = (body: JsonObject, now: number): LiveTokenRequest | string => {
  const read = requestSchema.safeParse(withCamelNames(body))
  if (!read.success) {
    const [issue] = read.error.issues
    return `${issue?.path.join('.')}: ${issue?.message}`
  }
  const { uses, expireTime, newSessionExpireTime, bidiGenerateContentSetup: setup, fieldMask: locked } = read.data
  const expires = expireTime ?? now + usualLifeMs
  const newSessionExpires = newSessionExpireTime ?? Math.min(expires, now + usualBeginMs)
  for (const time of [expires, newSessionExpires]) {
    if (time <= now || time > now + longestMs) return 'expireTime and newSessionExpireTime must be within 20 hours'
  }
  return { uses, expires, newSessionExpires, setup, locked }
}

/** The member of that name, however it is written. */
const memberOf = (members: JsonObject, name: string): unknown =>
  Object.entries(members).find(([written]) => camel(written) === name)?.[1]

/** The same members with another value at a path; without one where `value` is undefined. */
const withValueAt = (members: JsonObject, [name = '', ...rest]: readonly string[], value: unknown): JsonObject => {
  const others = Object.fromEntries(Object.entries(members).filter(([written]) => camel(written) !== name))
  if (rest.length === 0) return value === undefined ? others : { ...others, [name]: value }
  const inside = withValueAt(membersOf(memberOf(members, name)), rest, value)
  return Object.keys(inside).length === 0 ? others : { ...others, [name]: inside }
}

const valueAt = (members: JsonObject, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? memberOf(value, name) : undefined), members)

const handlePath = ['sessionResumption', 'handle']

/** The client's settings, as far as its key leaves them open. The session to resume is never locked. */
export const constrainedSetup = (asked: JsonObject, { setup, locked }: SessionConstraints): JsonObject => {
  if (locked === undefined) {
    const handle = valueAt(asked, handlePath)
    if (setup === undefined) return asked
    return handle === undefined ? setup : withValueAt(setup, handlePath, handle)
  }
  return locked
    .map((path) => path.split('.').map(camel))
    .filter((path) => path.join('.') !== handlePath.join('.'))
    .reduce((settings, path) => withValueAt(settings, path, valueAt(setup ?? {}, path)), asked)
}

/** The handle of the session to resume; undefined for a new one. */
export const resumedHandle = (setup: JsonObject): string | undefined => {
  const handle = valueAt(setup, handlePath)
  return typeof handle === 'string' && handle !== '' ? handle : undefined
}

/** The same setup with another handle. */
export const withResumedHandle = (setup: JsonObject, handle: string): JsonObject =>
  withValueAt(setup, handlePath, handle)
