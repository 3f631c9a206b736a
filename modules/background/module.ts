import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Responses that are made in the background, whatever provider makes them. */
export const module = {
  areas: [],
  errors: {},
  logEvents: {
    background_answer_failed: 'A response in the background could not be worked on; it is tried again.',
  },
} as const satisfies ModuleData
