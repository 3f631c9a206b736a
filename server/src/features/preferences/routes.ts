import { changePreferences, getPreferences, shareViews } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { UserPreferences } from './preferences.ts'

/** The console's calls for what the caller chose for the console, and for the views that all may use. */
export const preferenceRoutes = (on: On, preferences: UserPreferences): void => {
  on(getPreferences, async ({ caller }) => ({ data: await preferences.of(caller) }))
  on(changePreferences, async ({ caller, body }) => {
    await preferences.change(caller.id, body)
    return {}
  })
  on(shareViews, async ({ caller, ip, body }) => {
    await preferences.share({ id: caller.id, username: caller.username, ip }, body)
    return {}
  })
}
