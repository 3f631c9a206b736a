import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Figures of calls on a screen of their own, with saved boards, the changes that may explain them, and alerts on them. */
export const module = {
  areas: [],
  openTables: ['explore'],
  logEvents: {
    alerts_not_evaluated: 'Alerts on figures could not be evaluated; it is tried again.',
  },
  errors: {
    too_many_alerts: client(409, '告警数量已达上限：{max} 个', 'You have reached the limit of {max} alerts'),
    alert_not_found: client(404, '告警不存在', 'The alert does not exist'),
  },
} as const satisfies ModuleData
