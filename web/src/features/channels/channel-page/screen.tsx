import { Button, Skeleton } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { FigureButton } from '../../../components/figure-button.tsx'
import { useHeld } from '../../../components/form/held.ts'
import { Logo } from '../../../components/logo/logo.tsx'
import page from '../../../components/object-page.module.css'
import { useChannelTypes } from '../../../components/providers/channel-types.ts'
import { ErrorState } from '../../../components/states.tsx'
import { TabLinks } from '../../../components/tab-links.tsx'
import { UsagePanel, WaitingPanel } from '../../../components/usage/panel.tsx'
import usage from '../../../components/usage/usage.module.css'
import { call } from '../../../lib/api/api.ts'
import { type Channel, calls, channelStatus } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useStatusChange } from '../../../lib/status-change.ts'
import { useTitleOf } from '../../../lib/url/page-object.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { aboutChannels } from '../about-channels.ts'
import { ChannelStatusBadge } from '../columns.tsx'
import { vertexType } from '../form/fields.ts'
import { WaitingKeys } from '../keys/waiting-keys.tsx'
import { useChannelMessages } from '../messages.ts'
import { useTestChannel } from '../tests/test-channel.ts'
import classes from './channel-page.module.css'
import { useDayFigures } from './day-figures.ts'
import { DayStrip } from './day-strip.tsx'
import { useChannelPageMessages } from './messages.ts'
import { Webhook } from './webhook.tsx'

const TestPanel = onDemand(async () => (await import('../tests/test-panel.tsx')).TestPanel)
// The blocks come one by one: the head stands before the charts are loaded, and each keeps its place until then.
const chart = () => <WaitingPanel kind="lines" />
const list = () => <WaitingPanel kind="list" />
const FirstToken = onDemand(async () => (await import('./overview.tsx')).FirstToken, chart)
const Traffic = onDemand(async () => (await import('./overview.tsx')).Traffic, chart)
const KeyList = onDemand(
  async () => (await import('../keys/key-list.tsx')).KeyList,
  () => <WaitingKeys />,
)
const Errors = onDemand(async () => (await import('./tables.tsx')).Errors, list)
const Prices = onDemand(async () => (await import('./tables.tsx')).Prices, list)
const Routing = onDemand(async () => (await import('./routing.tsx')).Routing, list)
const History = onDemand(async () => (await import('./history.tsx')).History, list)
const ChannelSheet = onDemand(async () => (await import('../form/form.tsx')).ChannelSheet)

const tabs = ['overview', 'keys', 'prices', 'errors', 'routing', 'history'] as const
type Tab = (typeof tabs)[number]

const Back = () => {
  const say = useChannelPageMessages()
  return (
    <Link to="/channel" className={page.back}>
      <Icon name="left" size={14} /> {say('back')}
    </Link>
  )
}

const Header = ({ channel, onEdit, onTests }: { channel: Channel; onEdit: () => void; onTests: () => void }) => {
  const say = useChannelPageMessages()
  const sayList = useChannelMessages()
  const { labelOf } = useChannelTypes()
  const navigate = useNavigate()
  const test = useTestChannel()
  const held = useHeld()
  const { run: setStatus } = useStatusChange(
    (id, status) => call(calls.updateChannel, { body: { id, status } }),
    aboutChannels,
  )
  useTitleOf(channel.name)
  const isOn = channel.status === channelStatus.enabled
  const facts = [
    `#${channel.id}`,
    labelOf(channel.type) ?? sayList('unknownType'),
    channel.group.split(',').join(', '),
    say('priority', { value: channel.priority }),
    say('weight', { value: channel.weight }),
  ]
  return (
    <>
      <Back />
      <div className={page.head}>
        <Logo of={{ type: channel.type }} name={labelOf(channel.type) ?? channel.name} size={28} />
        <h1>{channel.name}</h1>
        <ChannelStatusBadge channel={channel} />
        <span className={`faint ${page.facts}`}>{facts.join(' · ')}</span>
        <span className={page.actions}>
          <Button onClick={() => void test(channel)} {...held}>
            {say('test')}
          </Button>
          <Button onClick={onTests} {...held}>
            {say('testModels')}
          </Button>
          <Button onClick={onEdit} {...held}>
            {say('edit')}
          </Button>
          <Button
            onClick={() => void setStatus(channel, isOn ? channelStatus.disabled : channelStatus.enabled)}
            {...held}
          >
            {say(isOn ? 'disable' : 'enable')}
          </Button>
          <Button
            variant="subtle"
            onClick={() => void navigate({ to: '/log', search: { channel: String(channel.id) } })}
          >
            {say('logs')}
          </Button>
          <FigureButton
            link={{ by: 'model', filters: [{ dimension: 'channel', is: 'is', values: [String(channel.id)] }] }}
          />
        </span>
      </div>
    </>
  )
}

const Page = ({ channel }: { channel: Channel }) => {
  const say = useChannelPageMessages()
  const [search, setSearch] = useSearchParams()
  const [testing, setTesting] = useState(false)
  const day = useDayFigures(channel.id)
  const tab = tabs.find((name) => name === search.tab) ?? 'overview'
  const shows = (name: Tab): boolean => tab === 'overview' || tab === name
  return (
    <>
      <Header channel={channel} onEdit={() => setSearch({ edit: '1' })} onTests={() => setTesting(true)} />
      <TabLinks to="/channel/$id" id={channel.id} label={say('tabs')} names={tabs} current={tab} textOf={say} />
      <div className={classes.blocks} data-tab={tab}>
        {tab === 'overview' && (
          <>
            <div className={usage.whole}>
              <DayStrip channelId={channel.id} day={day} />
            </div>
            <FirstToken day={day} />
            <Traffic day={day} />
          </>
        )}
        {shows('keys') && (
          <UsagePanel title={say('keys')}>
            <KeyList channelId={channel.id} canAdd={channel.type !== vertexType} isInset />
            {tab === 'keys' && <Webhook channelId={channel.id} />}
          </UsagePanel>
        )}
        {shows('errors') && <Errors channel={channel} day={day} />}
        {shows('prices') && (
          <div className={usage.whole}>
            <Prices channel={channel} day={day} />
          </div>
        )}
        {shows('routing') && <Routing channel={channel} />}
        {shows('history') && <History channelId={channel.id} />}
      </div>
      {search.edit && <ChannelSheet id={channel.id} onClose={() => setSearch({ edit: undefined })} />}
      {testing && <TestPanel channels={[channel]} onClose={() => setTesting(false)} />}
    </>
  )
}

/** As high as the page, whose overview is longer than a window: the footer would otherwise leave it later. */
const Waiting = () => {
  const [{ tab }] = useSearchParams()
  const isOverview = tabs.every((name) => name === 'overview' || name !== tab)
  return (
    <div aria-busy="true">
      <Skeleton h={18} w={80} mb={8} />
      <Skeleton h={28} w={320} mb={16} />
      <Skeleton h={118} mb={12} />
      <Skeleton h={330} />
      {isOverview && <Skeleton h={500} mt={12} />}
    </div>
  )
}

export const firstRead: FirstRead = (read, _search, { id }) => {
  read(calls.getChannel, { params: { id: Number(id) } })
  read(calls.getChannelHealth, { params: { id: Number(id) } })
}

/** Everything about one channel: health, speed, traffic, keys, errors, prices and cost, routing and history. */
export const ChannelScreen = () => {
  const { id } = useParams({ strict: false })
  const channel = useEndpoint(calls.getChannel, { params: { id: Number(id) } }, { staleTimeMs: 5000 })
  const { data, error } = channel
  // Another channel's answer stays while this one is on its way.
  if (data && data.id === Number(id)) return <Page key={id} channel={data} />
  if (error)
    return (
      <>
        <Back />
        <ErrorState error={error} onRetry={() => void channel.refetch()} />
      </>
    )
  return <Waiting />
}
