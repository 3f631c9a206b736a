import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import type { IdentityProvider } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import { CopyText } from '../copy/copy-text.tsx'
import { Icon } from '../display/icon.tsx'
import records from '../display/record-list.module.css'
import { ConfirmAction } from '../form/confirm-action.tsx'
import { EmptyState } from '../states.tsx'
import { signInAddress } from './addresses.tsx'
import { useProviderMessages } from './messages.ts'
import { type ProviderOwner, providerLists, removeProvider } from './provider-calls.ts'

interface RowProps {
  readonly provider: IdentityProvider
  readonly mayChange: boolean
  /** Sign-in address of providers without a button on the login page; undefined for those of the site, which have one. */
  readonly signInAt: string | undefined
  readonly onEdit: () => void
  readonly onRemove: () => void
}

const Row = ({ provider, mayChange, signInAt, onEdit, onRemove }: RowProps) => {
  const say = useProviderMessages()
  const { name, slug, connection, enabled, enforced, domains, rules } = provider
  const facts = [
    ...(enabled ? [] : [say('off')]),
    ...(domains.length === 0 ? [] : [say(enforced ? 'enforced' : 'vouches', { domains: domains.join(', ') })]),
    ...(rules.length === 0 ? [] : [say('ruleCount', { count: rules.length })]),
  ]
  return (
    <li className={records.row}>
      <div>
        <p className={records.name}>{name}</p>
        <p className="faint">
          {connection.kind === 'saml' ? 'SAML 2.0' : 'OIDC'} · {slug}
        </p>
      </div>
      <div>
        <p>{connection.issuer}</p>
        {facts.length > 0 && <p className="faint">{facts.join(' · ')}</p>}
        {signInAt && <CopyText text={signInAt} name={say('signInAddress')} />}
      </div>
      {mayChange && (
        <div className={records.actions}>
          <ActionIcon aria-label={`${say('edit')} ${name}`} onClick={onEdit}>
            <Icon name="edit" size={15} />
          </ActionIcon>
          <ActionIcon aria-label={`${say('delete')} ${name}`} onClick={onRemove}>
            <Icon name="trash" size={15} />
          </ActionIcon>
        </div>
      )}
    </li>
  )
}

interface Props {
  readonly owner: ProviderOwner
  readonly providers: readonly IdentityProvider[]
  readonly mayChange: boolean
  readonly onAdd: () => void
  readonly onEdit: (id: number) => void
}

/** Identity providers with what each is for; they are removed here, and changed where the caller opens `ProviderForm`. */
export const ProviderList = ({ owner, providers, mayChange, onAdd, onEdit }: Props) => {
  const say = useProviderMessages()
  const status = useStatus()
  const [removed, setRemoved] = useState<IdentityProvider>()
  const name = removed?.name ?? ''
  const remove = useAction(removeProvider, { refresh: providerLists, done: say('deleted', { name }) })
  if (providers.length === 0) {
    const add = mayChange ? <Button onClick={onAdd}>{say('add')}</Button> : undefined
    return <EmptyState icon="key" title={say('emptyTitle')} text={say('emptyText')} action={add} />
  }
  return (
    <>
      <ul className={records.list}>
        {providers.map((provider) => (
          <Row
            key={provider.id}
            provider={provider}
            mayChange={mayChange}
            signInAt={owner === 'site' ? undefined : signInAddress(status, provider.slug)}
            onEdit={() => onEdit(provider.id)}
            onRemove={() => setRemoved(provider)}
          />
        ))}
      </ul>
      <ConfirmAction
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={say('deleteTitle', { name })}
        effect={say(owner === 'site' ? 'deleteEffect' : 'deleteOwnEffect')}
        confirmLabel={say('delete')}
        danger
        onConfirm={() => removed && remove.submit(owner, removed.id)}
      />
    </>
  )
}
