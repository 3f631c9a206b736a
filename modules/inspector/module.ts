import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Captures of calls with their bodies, for a time and of chosen keys, users or channels. */
export const module = {
  areas: [['/api/inspector', 'contents']],
  ownAreas: [['/api/inspector', 'own_logs']],
  smallTables: ['inspections'],
  logEvents: {
    capture_not_written: 'An inspected call could not be stored; the call itself went on.',
    captures_not_purged: 'Captured calls whose time is over could not be deleted; it is tried again.',
  },
  errors: {
    inspector_off: client(403, '调用检查已关闭', 'The inspector is turned off'),
    inspector_not_pinned: client(409, '请先固定该记录', 'Pin the capture first'),
    inspector_not_whole: client(
      409,
      '该调用未完整保存，无法重放',
      'The call wasn’t stored in full and can’t be replayed',
    ),
    inspector_not_this_kind: client(
      409,
      '实时会话、任务和直通调用无法重放',
      'Realtime sessions, tasks and passthrough calls can’t be replayed',
    ),
    inspector_no_sandbox: client(409, '沙箱用户不存在或已禁用', 'The sandbox user doesn’t exist or is disabled'),
  },
} as const satisfies ModuleData
