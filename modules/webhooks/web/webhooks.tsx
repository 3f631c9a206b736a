import { mostWebhooks } from 'virtual:contract'
import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { CopyText } from '#web/components/copy/copy-text.tsx'
import { Hint } from '#web/components/display/hint.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { OwnRows, RowWords } from '#web/components/display/own-rows.tsx'
import { StatusBadge } from '#web/components/display/status-badge.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { Section } from '#web/components/panel-section.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { calls, type Webhook } from '#web/lib/api/contract.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { useWebhookMessages } from './messages.ts'
import classes from './webhooks.module.css'

const WebhookForm = onDemand(async () => (await import('./webhook-form.tsx')).WebhookForm)
const Deliveries = onDemand(async () => (await import('./deliveries.tsx')).Deliveries)

type Opened = { readonly kind: 'form' | 'deliveries' | 'removal'; readonly webhook: Webhook | undefined }

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

const WebhookRow = ({ webhook, open }: { webhook: Webhook; open: (kind: Opened['kind']) => void }) => {
  const say = useWebhookMessages()
  const { name, url, events, enabled } = webhook
  const buttons = [
    { kind: 'deliveries', icon: 'list', label: say('deliveries', { name }) },
    { kind: 'form', icon: 'edit', label: say('edit', { name }) },
    { kind: 'removal', icon: 'trash', label: say('remove', { name }) },
  ] as const
  return (
    <li>
      <Icon name="send" />
      <RowWords name={name} title={url} badge={enabled ? undefined : <StatusBadge tone="neutral" label={say('off')} />}>
        {hostOf(url)} · {events.join(', ')}
      </RowWords>
      {buttons.map(({ kind, icon, label }) => (
        <Hint key={kind} label={label}>
          <ActionIcon aria-label={label} onClick={() => open(kind)}>
            <Icon name={icon} size={14} />
          </ActionIcon>
        </Hint>
      ))}
    </li>
  )
}

/** Own webhook endpoints: added, changed, tried and removed; a new secret is shown once. */
export const Webhooks = () => {
  const say = useWebhookMessages()
  const [opened, setOpened] = useState<Opened>()
  const [made, setMade] = useState<{ name: string; secret: string }>()
  const list = useEndpoint(calls.listWebhooks)
  const remove = useAction(calls.deleteWebhook, { refresh: [calls.listWebhooks], done: say('removed') })
  const close = (): void => setOpened(undefined)
  const webhook = opened?.webhook
  return (
    <Section id="webhooks" title={say('title')}>
      <p className="muted">{say('text')}</p>
      {made && (
        <div className={classes.secret} role="status">
          <CopyText text={made.secret} name={say('secretOf', { name: made.name })} secret />
          <p>{say('secretOnce')}</p>
        </div>
      )}
      {list.data === undefined && list.error ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Skeleton h={52} mb={12} />
      ) : list.data.length === 0 ? (
        <p className="faint">{say('empty')}</p>
      ) : (
        <OwnRows>
          {list.data.map((one) => (
            <WebhookRow key={one.id} webhook={one} open={(kind) => setOpened({ kind, webhook: one })} />
          ))}
        </OwnRows>
      )}
      {(list.data?.length ?? 0) < mostWebhooks && (
        <Button
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => setOpened({ kind: 'form', webhook: undefined })}
        >
          {say('add')}
        </Button>
      )}
      {opened?.kind === 'form' && <WebhookForm webhook={webhook} onClose={close} onSecret={setMade} />}
      {opened?.kind === 'deliveries' && webhook && <Deliveries webhook={webhook} onClose={close} />}
      <ConfirmAction
        opened={opened?.kind === 'removal'}
        onClose={close}
        title={say('removeTitle', { name: webhook?.name ?? '' })}
        effect={say('removeEffect')}
        confirmLabel={say('removeShort')}
        onConfirm={() => remove.submit({ params: { id: webhook?.id ?? 0 } })}
        danger
      />
    </Section>
  )
}
