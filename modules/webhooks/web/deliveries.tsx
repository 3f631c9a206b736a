import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { Hint } from '#web/components/display/hint.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { OwnRows, RowWords } from '#web/components/display/own-rows.tsx'
import { StatusBadge } from '#web/components/display/status-badge.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { Sheet } from '#web/components/sheet.tsx'
import { calls, type Webhook, type WebhookDelivery } from '#web/lib/api/contract.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { refusalText } from '#web/lib/text/refusal-text.ts'
import { useWebhookMessages } from './messages.ts'

const tones = { waiting: 'info', delivered: 'good', failed: 'bad' } as const
const refreshEveryMs = 3_000

const DeliveryRow = ({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) => {
  const say = useWebhookMessages()
  const again = useAction(calls.resendWebhookDelivery, {
    refresh: [calls.listWebhookDeliveries],
    done: say('againDone'),
  })
  const { id, event, event_id, object_id, state, attempts, status, error, time } = delivery
  return (
    <li>
      <RowWords name={event} title={event_id} badge={<StatusBadge tone={tones[state]} label={say(state)} />}>
        {object_id}
        {attempts > 0 && ` · ${say('attempts', { count: attempts })}`}
        {error === null ? status > 0 && ` · HTTP ${status}` : ` · ${refusalText(error.text, error)}`} ·{' '}
        {state === 'waiting' && attempts > 0 && `${say('nextAttempt')} `}
        <TimeText at={time} />
      </RowWords>
      {webhook.enabled && (
        <Hint label={say('again')}>
          <ActionIcon
            aria-label={`${say('again')}: ${event} ${object_id}`}
            loading={again.busy}
            onClick={() => void again.run({ params: { id: webhook.id, delivery: id } })}
          >
            <Icon name="refresh" size={14} />
          </ActionIcon>
        </Hint>
      )}
    </li>
  )
}

/** The last deliveries to an endpoint, and a button that tries it. */
export const Deliveries = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const say = useWebhookMessages()
  const { id, name, url, enabled } = webhook
  const list = useEndpoint(calls.listWebhookDeliveries, { params: { id } }, { staleTimeMs: 0, refreshEveryMs })
  const test = useAction(calls.testWebhook, { refresh: [calls.listWebhookDeliveries], done: say('tested') })
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say('deliveries', { name })}
      subtitle={url}
      name={name}
      error={list.data === undefined ? list.error : undefined}
      onRetry={() => void list.refetch()}
    >
      {enabled && (
        <Button loading={test.busy} onClick={() => void test.run({ params: { id } })}>
          {say('test')}
        </Button>
      )}
      {list.data === undefined ? (
        <Skeleton h={52} mt={12} />
      ) : list.data.length === 0 ? (
        <p className="faint">{say('noDeliveries')}</p>
      ) : (
        <OwnRows>
          {list.data.map((delivery) => (
            <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
          ))}
        </OwnRows>
      )}
    </Sheet>
  )
}
