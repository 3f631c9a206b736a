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
      '已有迁入正在进行；被强行终止的迁入两分钟后不再算作进行中',
      'An import runs already; one that was killed counts as running for two minutes',
    ),
    import_source_invalid: client(
      400,
      '请填写 mysql:// 或 postgres:// 地址，或上传 SQLite 文件',
      'Fill in an address that begins with mysql:// or postgres://, or upload a SQLite file',
    ),
  },
} as const satisfies ModuleData
