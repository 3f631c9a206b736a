import { Button, Skeleton } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { CopyButton } from '../../../components/copy/copy-text.tsx'
import { Figures } from '../../../components/display/figures.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { EndBadge, StatusBadge } from '../../../components/display/status-badge.tsx'
import { FigureButton } from '../../../components/figure-button.tsx'
import { FirstCalls } from '../../../components/first-calls/first-calls.tsx'
import { Logo } from '../../../components/logo/logo.tsx'
import { PriceHistory } from '../../../components/price-history/price-history.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { calls, role } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { mayWrite, roleIn } from '../../../lib/api/staff.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../../lib/loading/read-ahead.ts'
import { formatDuration, formatSuccess } from '../../../lib/text/format.ts'
import { useTitleOf } from '../../../lib/url/page-object.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { useCatalogueMessages } from '../catalogue/messages.ts'
import { aboutText, shortTokens } from '../catalogue/words.ts'
import type { PricedModel } from '../catalogue.ts'
import { usePricingDetailMessages } from '../details-messages.ts'
import { usePricingMessages } from '../messages.ts'
import { type PriceUnit, pieceOf, printPrice } from '../prices.ts'
import { useCatalogue } from '../use-catalogue.ts'
import { ModelFacts } from './facts.tsx'
import { useModelPageMessages } from './messages.ts'
import classes from './model.module.css'
import { OwnUse } from './own-use.tsx'
import { Panel } from './panel.tsx'
import { PriceTable } from './price-table.tsx'
import { ChannelSpeed, SumSpeed } from './speed.tsx'

const CardEditor = onDemand(async () => (await import('./card-editor.tsx')).CardEditor)

const Strip = ({ model, unit }: { model: PricedModel; unit: PriceUnit }) => {
  const say = useModelPageMessages()
  const sayCatalogue = useCatalogueMessages()
  const sayPrices = usePricingMessages()
  const { prices, card, measures } = model
  const piece = pieceOf(prices)
  const price = (amount: typeof prices.input) => (amount === undefined ? '—' : printPrice(amount, unit))
  return (
    <Figures
      figures={[
        ...(piece === undefined
          ? [
              { label: say('inputPer'), value: price(prices.input) },
              { label: say('outputPer'), value: price(prices.output) },
            ]
          : [{ label: sayPrices(piece.name), value: price(piece.price) }]),
        {
          label: say('context'),
          value: card.context > 0 ? shortTokens(card.context) : '—',
          ...(card.max_output > 0 ? { unit: say('upTo', { value: shortTokens(card.max_output) }) } : {}),
        },
        ...(model.callsShown
          ? [
              {
                label: sayCatalogue('first'),
                value: typeof measures?.first_p50 === 'number' ? formatDuration(measures.first_p50) : '—',
                ...(typeof measures?.first_p95 === 'number'
                  ? { unit: say('p95', { value: formatDuration(measures.first_p95) }) }
                  : {}),
              },
              {
                label: sayCatalogue('uptime'),
                value: typeof measures?.uptime === 'number' ? formatSuccess(measures.uptime) : '—',
              },
            ]
          : []),
      ]}
    />
  )
}

const Waiting = () => (
  <div className={classes.page} aria-hidden="true">
    <Skeleton h={84} mb={16} />
    <Skeleton h={72} mb={12} />
    <div className={classes.columns}>
      <Skeleton h={260} />
      <Skeleton h={260} />
    </div>
  </div>
)

export const earlyRead: FirstRead = (read) => {
  read(calls.listPricing)
  read(calls.listModelCards)
}

/** Everything about one model: prices, their history, speed, facts, a call to copy. */
export const ModelScreen = () => {
  const say = useModelPageMessages()
  const details = usePricingDetailMessages()
  const sayCatalogue = useCatalogueMessages()
  const user = useSession()
  const { _splat: name = '' } = useParams({ strict: false }) as { _splat?: string }
  const [search, setSearch] = useSearchParams()
  const { pricing, isPending, error, refetch, models, groups, group, unit } = useCatalogue(search.group)
  const model = models.find(({ item }) => item.model_name === name)
  useTitleOf(model && name)

  if (error && pricing === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (isPending) return <Waiting />
  if (model === undefined) {
    return (
      <EmptyState
        heading
        icon="list"
        title={details('unknown')}
        text={details('unknownText', { name })}
        action={
          <Button component={Link} to="/pricing">
            {say('models')}
          </Button>
        }
      />
    )
  }
  const { item, card } = model
  const isOperator = roleIn(user, 'models') >= role.admin
  const mayEdit = mayWrite(user, 'models')
  const serving = groups.filter((entry) => item.enable_groups.includes(entry.name))
  const ordered = [
    ...serving.filter((entry) => entry.name === group.name),
    ...serving.filter((entry) => entry.name !== group.name),
  ]
  return (
    <div className={classes.page}>
      <nav className={classes.crumb}>
        <Link to="/pricing">{say('models')}</Link> /{' '}
        <Link to="/pricing" search={{ vendor: card.maker } as never}>
          {card.maker}
        </Link>
      </nav>
      <header className={classes.head}>
        <Logo of={{ maker: card.maker, model: name }} name={card.maker === 'custom' ? name : card.maker} size={40} />
        <div className={classes.words}>
          <h1>
            {name}
            <CopyButton text={name} name={name} />
            <EndBadge day={card.retires} replacedBy={card.replaced_by} />
            {card.hidden && <StatusBadge tone="neutral" label={sayCatalogue('hidden')} hint={say('hiddenHint')} />}
          </h1>
          <p>{aboutText(card, sayCatalogue) || card.maker}</p>
        </div>
        <div className={classes.actions}>
          {mayEdit && (
            <Button leftSection={<Icon name="edit" size={14} />} onClick={() => setSearch({ edit: '1' })}>
              {say('edit')}
            </Button>
          )}
          {user && (
            <Button variant="subtle" component={Link} to="/log" search={{ model_name: `"${name}"` } as never}>
              {say('log')}
            </Button>
          )}
          {user && (
            <FigureButton
              link={{
                by: isOperator ? 'channel' : 'key',
                filters: [{ dimension: 'model', is: 'is', values: [name] }],
              }}
            />
          )}
          {ordered[0] && (
            <Button
              component={Link}
              variant="filled"
              leftSection={<Icon name="chat" size={14} />}
              to="/playground"
              search={{ model: name, group: ordered[0].name } as never}
            >
              {say('tryIt')}
            </Button>
          )}
        </div>
      </header>
      <Strip model={model} unit={unit} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <PriceTable item={item} groups={ordered} unit={unit} />
          {item.priced && (
            <Panel title={say('history')}>
              <div className={classes.body}>
                <PriceHistory model={name} />
              </div>
            </Panel>
          )}
          {isOperator ? (
            <ChannelSpeed model={name} />
          ) : (
            <SumSpeed measures={model.measures} isPublic={model.callsShown} />
          )}
        </div>
        <div className={classes.column}>
          <Panel title={say('call')}>
            <div className={classes.body}>
              <FirstCalls model={name} apiKey="sk-…" kind={card.kind} title="" />
            </div>
          </Panel>
          <ModelFacts card={card} item={item} />
          {user && <OwnUse model={name} />}
        </div>
      </div>
      {mayEdit && search.edit && <CardEditor card={card} onClose={() => setSearch({ edit: undefined })} />}
    </div>
  )
}
