import type { Tab } from '../../lib/api/contract.ts'
import { isVisible, type Key, sectionOf } from './registry.ts'

/** The options that most sites set first, in the order of their card. Each belongs to a section of its own, too. */
const keys: readonly Key[] = [
  'SystemName',
  'ServerAddress',
  'RegisterEnabled',
  'QuotaForNewUser',
  'RetryTimes',
  'AutomaticDisableChannelEnabled',
  'LossWarningEnabled',
  'ChargedLogRetentionDays',
]

/** Those that a role sees. */
export const essentialKeys = (role: number): readonly Key[] => keys.filter((key) => isVisible(key, role))

/** Tabs whose texts the card needs. */
export const essentialTabs: readonly Tab[] = [...new Set(keys.flatMap((key) => sectionOf(key)?.tab ?? []))]
