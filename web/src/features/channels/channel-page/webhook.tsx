import { CopyText } from '../../../components/copy/copy-text.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import classes from './channel-page.module.css'
import { useChannelPageMessages } from './messages.ts'

/** The address that an operator enters at the provider, so that the ends of batches are known at once; nothing where there is none. */
export const Webhook = ({ channelId }: { channelId: number }) => {
  const say = useChannelPageMessages()
  const { data } = useEndpoint(calls.getChannelWebhook, { params: { id: channelId } })
  if (data === undefined || data.url === '') return null
  return (
    <section className={classes.webhook} aria-label={say('webhook')}>
      <strong>{say('webhook')}</strong>
      <CopyText text={data.url} name={say('webhook')} secret />
      <span className="faint">{say('webhookUse')}</span>
    </section>
  )
}
