import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { openPasskeys } from './passkeys.ts'
import { passkeyRoutes } from './routes.ts'
import { passkeyWay } from './store.ts'

export const join: JoinModule = ({ on, options, signIn, database, secrets, audit, clock, log }) => {
  const { challenges } = signIn
  const siteName = (): string => options.get('SystemName')
  passkeyRoutes(on, {
    passkeys: openPasskeys({ database, secrets, challenges, audit, siteName, clock, log }),
    serverAddress: () => options.get('ServerAddress'),
    signIn: signIn.withBoth,
    confirmed: signIn.confirmed,
  })
  signIn.addWay(passkeyWay)
  return {}
}
