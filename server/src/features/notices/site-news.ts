import type { DeclaredUsage } from '@tollgate/contract'
import type { Notices } from './notices.ts'
import {
  backupFailed,
  channelDisabled,
  channelEnabled,
  channelKeyDisabled,
  channelsTested,
  modelsEnding,
  type NoticeText,
  soldBelowCost,
} from './texts.ts'
import { unknownUsage } from './unknown-usage.ts'

/** News of the site for its super admin, each in the words of its notice. */
export const openSiteNews = (notifyRoot: Notices['notifyRoot'], amountText: (quota: number) => string) => {
  const news =
    <Facts extends readonly unknown[]>(text: (...facts: Facts) => NoticeText) =>
    (...facts: Facts): void =>
      notifyRoot(text(...facts))
  return {
    backupFailed: news(backupFailed),
    channelDisabled: news(channelDisabled),
    channelEnabled: news(channelEnabled),
    channelKeyDisabled: news(channelKeyDisabled),
    channelsTested: news(() => channelsTested),
    modelsEnding: news(modelsEnding),
    soldBelowCost: news(soldBelowCost),
    unknownUsage: news((usage: DeclaredUsage) => unknownUsage(usage, amountText)),
  }
}

export type SiteNews = ReturnType<typeof openSiteNews>
