import { testNotice, updateSetting } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { Notices } from './notices.ts'

/** The console's calls for the own notification settings. */
export const noticeRoutes = (on: On, notices: Pick<Notices, 'updateSetting' | 'test'>): void => {
  on(updateSetting, async ({ caller, ip, language, body }) => {
    await notices.updateSetting({ id: caller.id, ip, language }, body)
    return { message: '设置已更新' }
  })
  on(testNotice, async ({ caller, ip, language, body }) => ({
    data: await notices.test({ id: caller.id, ip, language }, body),
  }))
}
