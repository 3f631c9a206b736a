import { ActionIcon, Button, SegmentedControl, Skeleton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Hint } from '../../components/display/hint.tsx'
import { Icon, type IconName } from '../../components/display/icon.tsx'
import { prepareMarkdown } from '../../components/markdown/markdown.tsx'
import { calls } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { notifyFailure } from '../../lib/notify.tsx'
import { useStore } from '../../lib/preferences/store.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { kindIn, kindsOf } from './calls/call-kinds.ts'
import { requestOf } from './calls/requests.ts'
import { Composer } from './composer.tsx'
import type { Chat } from './conversation/chat.ts'
import { turnsOf } from './conversation/conversation.ts'
import { ConversationView } from './conversation/conversation-view.tsx'
import { chatOf } from './conversation/use-chat.ts'
import { usePlaygroundMessages } from './messages.ts'
import { offeredModel, useModels } from './models.ts'
import classes from './playground.module.css'

/** The panel's own height, about. */
const panelHeight = 560
const SettingsPanel = onDemand(
  async () => (await import('./settings-panel.tsx')).SettingsPanel,
  () => <Skeleton h={panelHeight} />,
)
const HistoryPanel = onDemand(async () => (await import('./conversation/history-panel.tsx')).HistoryPanel)
const PriceBefore = onDemand(async () => (await import('./calls/price-before.tsx')).PriceBefore)
const Untried = onDemand(async () => (await import('./calls/untried.tsx')).Untried)
const CodeSheet = onDemand(async () => (await import('./code-sheet.tsx')).CodeSheet)

const BarButton = (props: {
  label: string
  hint?: string
  icon: IconName
  onClick: () => void
  disabled?: boolean
}) => (
  <Hint label={props.hint ?? props.label}>
    <ActionIcon size={36} aria-label={props.label} onClick={props.onClick} disabled={props.disabled ?? false}>
      <Icon name={props.icon} />
    </ActionIcon>
  </Hint>
)

const UndoBar = ({ chat }: { chat: Chat }) => {
  const say = usePlaygroundMessages()
  return (
    <div className={classes.undo} role="status">
      {say('removed')}
      <button type="button" className="text-button" onClick={chat.undo}>
        {say('undo')}
      </button>
    </div>
  )
}

const Playground = ({ chat }: { chat: Chat }) => {
  const say = usePlaygroundMessages()
  const state = useStore(chat.store)
  const { settings } = state
  const { names } = useModels()
  const { data: groups } = useEndpoint(calls.getOwnGroups)
  const { data: cards } = useEndpoint(calls.listModelCards)
  const [panelOpen, setPanelOpen] = useState(false)
  const [panel, setPanel] = useState<'settings' | 'history'>('settings')
  const [showCode, setShowCode] = useState(false)
  const [search, setSearch] = useSearchParams()
  const model = offeredModel(settings.model, names)
  const kind = kindIn(state.kinds, model, settings)
  useEffect(() => {
    if (cards) chat.setKinds(kindsOf(cards))
  }, [chat, cards])
  // The address: a link may name the model to try, and the group that serves it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once per link, whatever is chosen afterwards
  useEffect(() => {
    if (!search.model) return
    chat.setSettings({ model: search.model, kind: undefined, ...(search.group ? { group: search.group } : {}) })
    setSearch({ model: undefined, group: undefined }, { replace: true })
  }, [search.model])
  // A stored choice that is no longer offered would be refused; where one model is offered, it is the choice.
  useEffect(() => {
    const { group, compare } = settings
    if (groups && group !== '' && !Object.hasOwn(groups, group)) chat.setSettings({ group: '' })
    const left = names ? compare.filter((name) => names.includes(name)) : compare
    if (left.length < compare.length) chat.setSettings({ compare: left })
    const [only, second] = names ?? []
    if (only !== undefined && second === undefined && settings.model !== only) chat.setSettings({ model: only })
  }, [chat, settings, groups, names])
  // The files that an answer needs.
  useEffect(prepareMarkdown, [])
  const send = (text: string, images: readonly string[]): boolean => {
    if (model === '') {
      notifyFailure(new Error(say('chooseModel')))
      return false
    }
    chat.send(text, images)
    return true
  }
  const isAlone = settings.compare.every((name) => name === model)
  const path = turnsOf(state.conversation).map((turn) => turn.message)
  return (
    <div className={classes.page}>
      <aside className={`panel ${classes.settings}`} data-open={panelOpen || undefined} aria-label={say(panel)}>
        <SegmentedControl
          mb={14}
          fullWidth
          aria-label={say('panel')}
          value={panel}
          onChange={setPanel}
          data={[
            { value: 'settings' as const, label: say('settings') },
            { value: 'history' as const, label: say('history') },
          ]}
        />
        {panel === 'settings' ? (
          <SettingsPanel chat={chat} state={state} />
        ) : (
          <HistoryPanel chat={chat} state={state} onOpen={() => setPanelOpen(false)} />
        )}
      </aside>
      <section className={`panel ${classes.chat}`} aria-label={say('title')}>
        <div className={classes.bar}>
          <h1>{say('title')}</h1>
          <span className={`mono faint cut ${classes.model}`}>{model}</span>
          <Button
            className={classes.toggle}
            aria-expanded={panelOpen}
            onClick={() => setPanelOpen(!panelOpen)}
            leftSection={<Icon name="sliders" size={14} />}
          >
            {panelOpen ? say('hideSettings') : say('settings')}
          </Button>
          <BarButton label={say('code')} icon="code" onClick={() => setShowCode(true)} />
          <BarButton
            label={say('clear')}
            hint={say('clearHint')}
            icon="plus"
            onClick={chat.clear}
            disabled={path.length === 0}
          />
        </div>
        <ConversationView chat={chat} state={state} kind={kind ?? 'chat'} />
        {state.undo && <UndoBar chat={chat} />}
        {kind === undefined ? (
          <Untried model={model} kind={cards?.find((card) => card.model === model)?.kind ?? ''} />
        ) : (
          <Composer
            busy={state.busy}
            kind={kind}
            before={kind === 'image' && isAlone && <PriceBefore settings={settings} model={model} />}
            onSend={send}
            onStop={chat.stop}
          />
        )}
      </section>
      {showCode && <CodeSheet request={requestOf(kind ?? 'chat', settings, path)} onClose={() => setShowCode(false)} />}
    </div>
  )
}

export const firstRead: FirstRead = (read) => {
  read(calls.getOwnModels)
  read(calls.getOwnGroups)
  read(calls.listModelCards)
}

/** The playground: questions, answers and their cost. */
export const PlaygroundScreen = () => {
  const user = useSession()
  return user && <Playground key={user.id} chat={chatOf(user.id)} />
}
