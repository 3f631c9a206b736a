import type { FeatureKit, SharedParts } from '../../app/parts.ts'
import { version } from '../../config/version.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { databaseHealth } from './health.ts'
import { statusRoutes } from './routes.ts'
import { openStatus, type StatusParts } from './status.ts'

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
