import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Moves the database of another gateway into this one: users, keys, channels, prices, balances. */
export const module = {
  areas: [['/api/site_import', 'settings']],
  logEvents: {
    site_import_failed:
      'Moving the database of another gateway in ended early; the reason is also shown in the console.',
  },
  errors: {
    import_running: client(
      409,
      '已有导入正在进行。如果它已被终止，请两分钟后再试。',
      'An import is already running. If it was stopped, try again in two minutes.',
    ),
    import_source_invalid: client(
      400,
      '请填写 mysql:// 或 postgres:// 地址，或上传 SQLite 文件',
      'Enter a mysql:// or postgres:// address, or upload a SQLite file',
    ),
  },
} as const satisfies ModuleData
