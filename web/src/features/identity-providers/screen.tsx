import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { calls, type IdentityProvider, role } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { newProvider, valuesOf } from './fields.ts'
import classes from './identity-providers.module.css'
import { useProviderMessages } from './messages.ts'

const ProviderForm = onDemand(async () => (await import('./form.tsx')).ProviderForm)

export const firstRead: FirstRead = (read) => read(calls.listIdentityProviders)

interface RowProps {
  readonly provider: IdentityProvider
  readonly mayChange: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
}

const Row = ({ provider, mayChange, onEdit, onRemove }: RowProps) => {
  const say = useProviderMessages()
  const { name, slug, connection, enabled, enforced, domains, rules } = provider
  const facts = [
    ...(enabled ? [] : [say('off')]),
    ...(domains.length === 0 ? [] : [say(enforced ? 'enforced' : 'vouches', { domains: domains.join(', ') })]),
    ...(rules.length === 0 ? [] : [say('ruleCount', { count: rules.length })]),
  ]
  return (
    <li className={classes.row}>
      <div>
        <p className={classes.name}>{name}</p>
        <p className="faint">
          {connection.kind === 'saml' ? 'SAML 2.0' : 'OIDC'} · {slug}
        </p>
      </div>
      <div>
        <p>{connection.issuer}</p>
        {facts.length > 0 && <p className="faint">{facts.join(' · ')}</p>}
      </div>
      {mayChange && (
        <div className={classes.actions}>
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

const List = ({
  mayChange,
  onAdd,
  onEdit,
}: {
  mayChange: boolean
  onAdd: () => void
  onEdit: (id: number) => void
}) => {
  const say = useProviderMessages()
  const providers = useEndpoint(calls.listIdentityProviders)
  const [removed, setRemoved] = useState<IdentityProvider>()
  const name = removed?.name ?? ''
  const remove = useAction(calls.deleteIdentityProvider, {
    refresh: [calls.listIdentityProviders],
    done: say('deleted', { name }),
  })
  if (providers.error && !providers.data)
    return <ErrorState error={providers.error} onRetry={() => void providers.refetch()} />
  if (providers.data === undefined) return <div className={classes.waiting} aria-busy="true" data-waiting />
  if (providers.data.length === 0) {
    const add = mayChange ? <Button onClick={onAdd}>{say('add')}</Button> : undefined
    return <EmptyState icon="key" title={say('emptyTitle')} text={say('emptyText')} action={add} />
  }
  return (
    <section className="panel" aria-label={say('title')}>
      <ul className={classes.list}>
        {providers.data.map((provider) => (
          <Row
            key={provider.id}
            provider={provider}
            mayChange={mayChange}
            onEdit={() => onEdit(provider.id)}
            onRemove={() => setRemoved(provider)}
          />
        ))}
      </ul>
      <ConfirmAction
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={say('deleteTitle', { name })}
        effect={say('deleteEffect')}
        confirmLabel={say('delete')}
        danger
        onConfirm={() => removed && remove.submit({ params: { id: removed.id } })}
      />
    </section>
  )
}

const Sheets = () => {
  const [search, setSearch] = useSearchParams()
  const providers = useEndpoint(calls.listIdentityProviders)
  const close = (): void => setSearch({ add: undefined, edit: undefined })
  if (search.add) return <ProviderForm provider={undefined} initial={newProvider()} onClose={close} />
  const edited = providers.data?.find(({ id }) => String(id) === search.edit)
  if (edited === undefined) return null
  return <ProviderForm key={edited.id} provider={edited} initial={valuesOf(edited)} onClose={close} />
}

/** Identity providers of the site; root changes them. */
export const IdentityProvidersScreen = () => {
  const say = useProviderMessages()
  const [, setSearch] = useSearchParams()
  const mayChange = (useSession()?.role ?? 0) >= role.root
  const add = (): void => setSearch({ add: '1' })
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          mayChange && (
            <Button variant="filled" leftSection={<Icon name="plus" size={14} />} onClick={add}>
              {say('add')}
            </Button>
          )
        }
      />
      <List mayChange={mayChange} onAdd={add} onEdit={(id) => setSearch({ edit: String(id) })} />
      {mayChange && <Sheets />}
    </>
  )
}
