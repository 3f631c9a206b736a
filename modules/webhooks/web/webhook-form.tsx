import { longestWebhookName, longestWebhookUrl, webhookEvents } from 'virtual:contract'
import { Button, Checkbox, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { FormDrawer } from '#web/components/form/form-drawer.tsx'
import { calls, type Webhook, type WebhookChange } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { useWebhookMessages } from './messages.ts'
import classes from './webhooks.module.css'

export interface WebhookFormProps {
  /** The endpoint that is changed; undefined for a new one. */
  readonly webhook: Webhook | undefined
  readonly onClose: () => void
  readonly onSecret: (made: { readonly name: string; readonly secret: string }) => void
}

const isHttps = (url: string): boolean => URL.canParse(url) && new URL(url).protocol === 'https:'

const RotateSecret = ({ webhook, onClose, onSecret }: WebhookFormProps & { webhook: Webhook }) => {
  const say = useWebhookMessages()
  const [asking, setAsking] = useState(false)
  const { id, name } = webhook
  const rotate = useAction(calls.rotateWebhookSecret, {
    onDone: ({ secret }) => {
      onSecret({ name, secret })
      onClose()
    },
  })
  return (
    <>
      <Button onClick={() => setAsking(true)}>{say('rotate')}</Button>
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={say('rotateTitle', { name })}
        effect={say('rotateEffect')}
        confirmLabel={say('rotate')}
        onConfirm={() => rotate.submit({ params: { id } })}
        danger
      />
    </>
  )
}

/** Name, address and events of an endpoint. */
export const WebhookForm = ({ webhook, onClose, onSecret }: WebhookFormProps) => {
  const say = useWebhookMessages()
  const after = { refresh: [calls.listWebhooks], done: say('saved') }
  const create = useAction(calls.createWebhook, { ...after, onDone: onSecret })
  const update = useAction(calls.updateWebhook, after)
  const initialValues: WebhookChange = {
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? [...webhookEvents],
    enabled: webhook?.enabled ?? true,
  }
  const form = useForm({
    initialValues,
    validate: {
      name: (name) => (name.trim() === '' ? say('nameMissing') : null),
      url: (url) => (isHttps(url.trim()) ? null : say('urlInvalid')),
      events: (events) => (events.length === 0 ? say('eventsMissing') : null),
    },
  })
  const { events } = form.getValues()
  return (
    <FormDrawer
      title={webhook === undefined ? say('add') : say('edit', { name: webhook.name })}
      form={form}
      onClose={onClose}
      onSubmit={async (body) => {
        await (webhook === undefined ? create.submit({ body }) : update.submit({ params: { id: webhook.id }, body }))
      }}
      footer={webhook && <RotateSecret webhook={webhook} onClose={onClose} onSecret={onSecret} />}
    >
      <TextInput
        label={say('name')}
        required
        maxLength={longestWebhookName}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        type="url"
        label={say('url')}
        required
        maxLength={longestWebhookUrl}
        placeholder="https://example.com/webhook"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label={say('events')} {...form.getInputProps('events')} value={events}>
        <div className={classes.events}>
          {webhookEvents.map((event) => (
            <Checkbox key={event} value={event} label={event} />
          ))}
        </div>
      </Checkbox.Group>
      <Switch label={say('enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
