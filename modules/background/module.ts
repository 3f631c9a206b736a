import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Responses that are made in the background, whatever provider makes them. */
export const module = {
  areas: [['/api/background', 'logs']],
  ownAreas: [['/api/background', 'own_logs']],
  smallTables: ['background_answers'],
  errors: {
    background_ended: client(409, '响应 {id} 已经结束', 'The response {id} has ended already'),
  },
  logEvents: {
    background_answer_failed: 'A response in the background could not be worked on; it is tried again.',
  },
} as const satisfies ModuleData
