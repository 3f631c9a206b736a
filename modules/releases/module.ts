import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** The check for newer versions in a list of releases. */
export const module = {
  areas: [['/api/system/releases', 'settings']],
  logEvents: {},
  errors: {
    releases_failed: client(502, '检查更新失败，请稍后再试', 'Couldn’t check for updates. Try again later.'),
  },
} as const satisfies ModuleData
