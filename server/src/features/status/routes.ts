import {
  getAbout,
  getHomePageContent,
  getNotice,
  getOffer,
  getStatus,
  type OfferedCall,
  type Status,
  testStatus,
} from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'

export interface StatusRouteParts {
  statusObject(): Status
  /** Texts of the operator. */
  content(key: 'Notice' | 'About' | 'HomePageContent'): string
  databaseAnswers(): Promise<boolean>
}

/** Status and public content. */
export const statusRoutes = (on: On, parts: StatusRouteParts): void => {
  on(getStatus, () => ({ data: parts.statusObject() }))
  on(testStatus, async () => {
    if (!(await parts.databaseAnswers())) throw new AppError('database_unreachable')
    return { message: 'Server is running' }
  })
  on(getNotice, () => ({ data: parts.content('Notice') }))
  on(getAbout, () => ({ data: parts.content('About') }))
  on(getHomePageContent, () => ({ data: parts.content('HomePageContent') }))
}

interface OfferParts {
  /** The relay's own route table, as clients see it. */
  readonly calls: readonly OfferedCall[]
  /** Names of the models that enabled channels serve at this moment. */
  models(): readonly string[]
}

/** Calls and models of the site, as visitors see them. */
export const offerRoutes = (on: On, { calls, models }: OfferParts): void => {
  on(getOffer, () => ({ data: { calls: [...calls], models: models().length } }))
}
