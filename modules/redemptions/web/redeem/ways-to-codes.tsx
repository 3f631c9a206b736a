import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { useRedeemMessages } from './messages.ts'

/** Buttons of the first steps: the shop of codes, and the wallet, which takes them. */
export const WaysToCodes = () => {
  const say = useRedeemMessages()
  const { top_up_link: shop } = useStatus()
  const { data: info } = useEndpoint(calls.getTopUpInfo)
  const online = info?.online === true
  return (
    <>
      {shop && (
        <Button component="a" href={shop} target="_blank" rel="noopener" variant={online ? 'default' : 'filled'}>
          {say('buyCode')}
        </Button>
      )}
      <Button component={Link} to="/topup" variant={online || shop ? 'default' : 'filled'}>
        {say('useCode')}
      </Button>
    </>
  )
}
