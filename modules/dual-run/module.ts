import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** A share of the calls, asked at a second gateway, too, and compared. */
export const module = {
  areas: [['/api/dual_run', 'contents']],
  logEvents: {
    dual_run_failed: 'A comparison with the second gateway could not be stored; calls are not concerned.',
  },
  errors: {},
  switches: {
    off: { DualRunAddress: '', DualRunModels: '' },
    on: { DualRunModels: 'elsewhere', DualRunAddress: 'https://second.example' },
  },
} as const satisfies ModuleData
