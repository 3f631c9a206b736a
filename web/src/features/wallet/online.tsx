import { Link } from '@tanstack/react-router'
import { calls, role } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { useWalletMessages } from './messages.ts'
import { Waiting } from './waiting.tsx'
import classes from './wallet.module.css'

const OnlineForm = onDemand(
  async () => (await import('./online-form.tsx')).OnlineForm,
  () => <Waiting error={undefined} retry={() => undefined} />,
)

/** Buys quota through the payment gateway. */
export const Online = () => {
  const say = useWalletMessages()
  const info = useEndpoint(calls.getTopUpInfo)
  const isRoot = (useSession()?.role ?? 0) >= role.root
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="online-title">
      <h2 id="online-title">{say('online')}</h2>
      {info.data?.online === false ? (
        <>
          <p className={classes.off}>{say('onlineOff')}</p>
          {isRoot ? (
            <Link to="/setting/$section" params={{ section: 'payment' }}>
              {say('toSettings')}
            </Link>
          ) : (
            <p className="muted">{say('askOperator')}</p>
          )}
        </>
      ) : info.data ? (
        <OnlineForm key={info.data.least} info={info.data} />
      ) : (
        <Waiting error={info.error} retry={info.refetch} />
      )}
    </section>
  )
}
