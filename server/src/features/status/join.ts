import type { FeatureKit, SharedParts } from '../../app/parts.ts'
import { version } from '../../config/version.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { statusRoutes } from './routes.ts'
import { openStatus, type StatusParts } from './status.ts'

const restMs = 10_000

/** True if the database answers, asked at most once in ten seconds; calls in between share the last answer. */
export const databaseHealth = (parts: { ping(): Promise<void>; clock: Clock }): (() => Promise<boolean>) => {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<boolean> = Promise.resolve(true)
  return () => {
    const now = parts.clock()
    if (now - askedAt < restMs) return answer
    askedAt = now
    answer = parts.ping().then(
      () => true,
      () => false,
    )
    return answer
  }
}

export type StatusSource = ReturnType<typeof openStatus>

/** Opens the facts about the site that every visitor reads. */
export const openStatusSource = (
  { clock, options }: SharedParts,
  identityProviders: StatusParts['identityProviders'],
): StatusSource => openStatus({ version, startTime: unixSeconds(clock), values: options.snapshot, identityProviders })

/** Joins the status of the site, its texts, and the answer of its database. */
export const joinStatus = ({ options, database, clock, on }: FeatureKit, { statusObject }: StatusSource): void =>
  statusRoutes(on, {
    statusObject,
    content: options.get,
    databaseAnswers: databaseHealth({ ping: () => database.ping(), clock }),
  })
