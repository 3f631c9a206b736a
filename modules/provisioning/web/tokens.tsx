import { Button, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { CopyText } from '#web/components/copy/copy-text.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { FormDrawer } from '#web/components/form/form-drawer.tsx'
import { Sheet } from '#web/components/sheet.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { calls, type ScimToken } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { useProvisioningMessages } from './messages.ts'
import classes from './provisioning.module.css'

const lives = [0, 90, 365, 730] as const

const MadeToken = ({ token, onClose }: { token: string; onClose: () => void }) => {
  const say = useProvisioningMessages()
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say('tokenMade')}
      footer={
        <Button variant="filled" onClick={onClose} ml="auto">
          {say('done')}
        </Button>
      }
    >
      <div className={classes.made}>
        <p className="muted">{say('tokenMadeText')}</p>
        <CopyText text={token} name={say('token')} secret />
      </div>
    </Sheet>
  )
}

const TokenForm = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const say = useProvisioningMessages()
  const [token, setToken] = useState<string>()
  const form = useForm({
    initialValues: { name: '', days: '365' },
    validate: { name: (name) => (name.trim() === '' ? say('nameRequired') : null) },
  })
  const create = useAction(calls.createScimToken, { refresh: [calls.getProvisioning] })
  if (token !== undefined) return <MadeToken token={token} onClose={onClose} />
  return (
    <FormDrawer
      title={say('addToken')}
      form={form}
      submitLabel={say('addToken')}
      onClose={onClose}
      stayOpen
      onSubmit={async ({ name, days }) => {
        const made = await create.submit({ params: { id }, body: { name: name.trim(), days: Number(days) } })
        setToken(made.token)
      }}
    >
      <TextInput
        label={say('tokenName')}
        description={say('tokenNameHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Select
        label={say('expiry')}
        allowDeselect={false}
        data={lives.map((days) => ({
          value: String(days),
          label: days === 0 ? say('never') : say('days', { count: days }),
        }))}
        {...form.getInputProps('days')}
      />
    </FormDrawer>
  )
}

/** Tokens of identity providers: each is shown once, and ends at once. */
export const Tokens = ({ id, tokens }: { id: number; tokens: readonly ScimToken[] }) => {
  const say = useProvisioningMessages()
  const [adding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<ScimToken>()
  const revoke = useAction(calls.revokeScimToken, { refresh: [calls.getProvisioning], done: say('revoked') })
  const isOver = ({ expires_time }: ScimToken): boolean => expires_time !== 0 && expires_time * 1000 <= Date.now()
  return (
    <section className="panel" aria-label={say('tokens')}>
      <div className={classes.head}>
        <h2>{say('tokens')}</h2>
        <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
          {say('addToken')}
        </Button>
      </div>
      {tokens.length === 0 && <EmptyState icon="key" title={say('tokensEmpty')} text={say('tokensEmptyText')} />}
      <ul className={classes.rows}>
        {tokens.map((token) => (
          <li key={token.id}>
            <span>
              <span className="strong">{token.name}</span> <span className="mono faint">scim_…{token.hint}</span>
              <span className={`faint ${classes.facts}`}>
                {token.made_by !== '' && <span>{say('madeBy', { name: token.made_by })}</span>}
                {token.last_used_time === 0 ? (
                  <span>{say('unused')}</span>
                ) : (
                  <span>
                    {say('lastUsed')} <TimeText at={token.last_used_time} brief />
                  </span>
                )}
                {token.expires_time === 0 ? (
                  <span>{say('never')}</span>
                ) : (
                  <span className={isOver(token) ? 'bad' : undefined}>
                    {say(isOver(token) ? 'expired' : 'expires')} <TimeText at={token.expires_time} brief />
                  </span>
                )}
              </span>
            </span>
            <Button aria-label={`${say('revoke')} ${token.name}`} onClick={() => setRevoking(token)}>
              {say('revoke')}
            </Button>
          </li>
        ))}
      </ul>
      {adding && <TokenForm id={id} onClose={() => setAdding(false)} />}
      <ConfirmAction
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={say('revokeTitle', { name: revoking?.name ?? '' })}
        effect={say('revokeEffect')}
        confirmLabel={say('revoke')}
        onConfirm={() => revoking && revoke.submit({ params: { id }, body: { token_id: revoking.id } })}
        danger
      />
    </section>
  )
}
