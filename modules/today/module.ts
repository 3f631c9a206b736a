import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** The start page: one line on yesterday, cards that need a decision, and who used what. */
export const module = {
  areas: [['/api/today', 'logs']],
  ownAreas: [
    ['/api/today/self', 'own_account'],
    ['/api/today/snooze', 'own_account'],
  ],
  smallTables: ['today_snoozes', 'today_notices'],
  logEvents: {
    today_rule_failed: 'A rule of the start page could not be read; the other cards are shown without it.',
    today_notices_late: 'Notices about cards of the start page could not be queued; it is tried again.',
  },
  errors: {},
} as const satisfies ModuleData
