import type { CallArea } from '../modules/module-data.ts'
import { moduleAreas } from '../modules/modules.ts'
import type { StaffArea } from './permissions.ts'

/**
 * Which area a call belongs to, by the beginning of its path; the first that fits counts. `shared` is open to all
 * administrators: names that lists of several areas show.
 */
const areaPaths: readonly CallArea[] = [
  ['/api/group', 'shared'],
  ['/api/channel/types', 'shared'],
  ['/api/channel/models', 'shared'],
  ['/api/status/test', 'shared'],
  ['/api/limits/subjects', 'shared'],
  ['/api/system/neighbours', 'shared'],
  ['/api/channel', 'channels'],
  ['/api/virtual-models', 'channels'],
  ['/api/route', 'channels'],
  ['/api/models', 'models'],
  ['/api/price_lists', 'models'],
  ['/api/option/completion_rules', 'models'],
  ['/api/option/rest_model_ratio', 'models'],
  ['/api/option/price_preview', 'models'],
  ['/api/option', 'settings'],
  ['/api/system', 'settings'],
  ['/api/identity_providers', 'settings'],
  ['/api/user/topup', 'billing'],
  ['/api/declared_usage', 'billing'],
  ['/api/storage-refunds', 'billing'],
  ['/api/user', 'users'],
  ['/api/log', 'logs'],
  ['/api/data', 'logs'],
  ['/api/dashboard', 'logs'],
  ['/api/explore', 'logs'],
  ['/api/view', 'logs'],
  ['/api/limits', 'limits'],
  ['/api/organisation', 'organisations'],
  ['/api/audit', 'audit'],
  ...moduleAreas,
]

const isUnder = (path: string, beginning: string): boolean => path === beginning || path.startsWith(`${beginning}/`)

/** The area of a call of administrators; undefined for a path that no area has, which only an unrestricted caller may call. */
export const areaOf = (path: string): StaffArea | 'shared' | undefined =>
  areaPaths.find(([beginning]) => isUnder(path, beginning))?.[1]
