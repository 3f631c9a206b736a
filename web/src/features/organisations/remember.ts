import { storedUser, storeUser } from '../../lib/api/session.ts'

/** Somebody who belongs to an organisation finds it in the sidebar from then on. */
export const rememberBelonging = (): void => {
  const user = storedUser()
  if (user) storeUser({ ...user, organisations: 'belongs' })
}
