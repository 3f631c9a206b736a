import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { RowMenu } from '../../../components/data-table/rows/row-menu.tsx'
import { GroupTag } from '../../../components/display/group-tag.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { UserLink } from '../../../components/display/user-link.tsx'
import { ExploreButton } from '../../../components/explore-button.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import page from '../../../components/object-page.module.css'
import { calls, type Token, tokenStatus } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useStatusChange } from '../../../lib/status-change.ts'
import { useTitleOf } from '../../../lib/url/page-object.ts'
import { KeyCell } from '../keys/key-cell.tsx'
import { setTokenStatus } from '../set-status.ts'
import { TokenStatusBadge } from '../status.tsx'
import { useTokenPageMessages } from './messages.ts'
import { keyLogSearch } from './scope.ts'
import classes from './token-page.module.css'

const RotateToken = onDemand(async () => (await import('../keys/rotate.tsx')).RotateToken)

export const BackToKeys = ({ owner }: { owner: number | undefined }) => {
  const say = useTokenPageMessages()
  const content = (
    <>
      <Icon name="left" size={14} /> {say(owner === undefined ? 'back' : 'backToUser')}
    </>
  )
  if (owner === undefined)
    return (
      <Link to="/token" className={page.back}>
        {content}
      </Link>
    )
  return (
    <Link to="/user/$id" params={{ id: String(owner) }} search={{ tab: 'tokens' }} className={page.back}>
      {content}
    </Link>
  )
}

/** Actions of the key's owner. */
const OwnActions = ({ token, onEdit }: { token: Token; onEdit: () => void }) => {
  const say = useTokenPageMessages()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'rotate' | 'remove'>()
  const refresh = [calls.getToken, calls.browseTokens, calls.tokenHistory]
  const { run: setStatus } = useStatusChange(setTokenStatus, refresh)
  const remove = useAction(calls.deleteToken, {
    refresh: [calls.browseTokens],
    done: say('deleted', { name: token.name }),
    onDone: () => void navigate({ to: '/token' }),
  })
  const isOn = token.status === tokenStatus.enabled
  return (
    <>
      <Button leftSection={<Icon name="edit" size={14} />} onClick={onEdit}>
        {say('edit')}
      </Button>
      <Button onClick={() => void setStatus(token, isOn ? tokenStatus.disabled : tokenStatus.enabled)}>
        {say(isOn ? 'disable' : 'enable')}
      </Button>
      <RowMenu
        name={token.name}
        actions={() => [
          { label: say('rotate'), icon: 'refresh', onClick: () => setAsked('rotate') },
          { label: say('remove'), icon: 'trash', danger: true, onClick: () => setAsked('remove') },
        ]}
      />
      {asked === 'rotate' && <RotateToken token={token} onClose={() => setAsked(undefined)} />}
      <ConfirmAction
        opened={asked === 'remove'}
        onClose={() => setAsked(undefined)}
        title={say('deleteTitle', { name: token.name })}
        effect={say('deleteEffect')}
        confirmLabel={say('remove')}
        onConfirm={async () => {
          await remove.submit({ params: { id: token.id } })
        }}
        danger
      />
    </>
  )
}

const OwnerName = ({ owner }: { owner: number }) => {
  const { data } = useEndpoint(calls.getUserOverview, { params: { id: owner } }, { staleTimeMs: 60_000 })
  return data ? <UserLink id={owner} name={data.user.username} /> : <UserLink id={owner} name={`#${owner}`} />
}

/** The key's name, state and owner, and what can be done with it. */
export const KeyHeader = (props: {
  token: Token
  owner: number | undefined
  username: string | undefined
  onEdit: () => void
}) => {
  const say = useTokenPageMessages()
  const navigate = useNavigate()
  const { token, owner } = props
  useTitleOf(token.name)
  return (
    <>
      <BackToKeys owner={owner} />
      <div className={page.head}>
        <span className={classes.mark}>
          <Icon name="key" size={16} />
        </span>
        <h1>{token.name}</h1>
        <TokenStatusBadge token={token} />
        {token.group !== '' && <GroupTag name={token.group} />}
        <span className={`faint ${page.facts}`}>
          #{token.id}
          {owner !== undefined && (
            <>
              {' · '}
              <OwnerName owner={owner} />
            </>
          )}
        </span>
        {owner === undefined ? <KeyCell token={token} /> : <span className="mono faint">sk-{token.key}</span>}
        <span className={page.actions}>
          {owner === undefined && <OwnActions token={token} onEdit={props.onEdit} />}
          <Button
            variant="subtle"
            onClick={() =>
              void navigate({ to: '/log', search: { ...keyLogSearch(token, props.username), range: '30d' } as never })
            }
          >
            {say('logs')}
          </Button>
          <ExploreButton
            link={{ by: 'model', filters: [{ dimension: 'key', is: 'is', values: [String(token.id)] }] }}
          />
        </span>
      </div>
    </>
  )
}
