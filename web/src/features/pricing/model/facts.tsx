import { Link } from '@tanstack/react-router'
import { Facts } from '../../../components/display/facts.tsx'
import type { ModelCard, PricingItem } from '../../../lib/api/contract.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useCatalogueMessages } from '../catalogue/messages.ts'
import { kindWord } from '../catalogue/words.ts'
import { typeWord, Unpriced } from '../cells.tsx'
import { usePricingMessages } from '../messages.ts'
import { useModelPageMessages } from './messages.ts'
import classes from './model.module.css'
import { Panel } from './panel.tsx'

/** Facts about a model; unknown ones are left out. */
export const ModelFacts = ({ card, item }: { card: ModelCard; item: PricingItem }) => {
  const say = useModelPageMessages()
  const sayCatalogue = useCatalogueMessages()
  const sayPrices = usePricingMessages()
  return (
    <Panel title={say('facts')}>
      <div className={classes.body}>
        <Facts
          facts={[
            { label: sayCatalogue('maker'), value: card.maker },
            card.kind !== '' && { label: say('madeFor'), value: kindWord(card.kind, sayCatalogue) },
            card.takes.length > 0 && {
              label: say('takes'),
              value: card.takes.map((input) => sayCatalogue(input)).join(', '),
            },
            card.can.length > 0 && {
              label: say('can'),
              value: card.can.map((ability) => sayCatalogue(ability)).join(', '),
            },
            card.context > 0 && { label: say('context'), value: formatInteger(card.context) },
            card.max_output > 0 && { label: say('maxOutput'), value: formatInteger(card.max_output) },
            card.knowledge !== '' && { label: say('knowledge'), value: say('upToDay', { day: card.knowledge }) },
            card.endpoints.length > 0 && {
              label: say('endpoints'),
              value: (
                <span className={classes.endpoints}>
                  {card.endpoints.map((path) => (
                    <span key={path}>{path}</span>
                  ))}
                </span>
              ),
            },
            { label: say('billing'), value: sayPrices(typeWord(item)) },
            !item.priced && { label: sayPrices('availability'), value: <Unpriced item={item} say={sayPrices} /> },
            card.tags.length > 0 && { label: say('tags'), value: card.tags.join(', ') },
            { label: say('retires'), value: card.retires || say('unknownDay') },
            card.replaced_by !== '' && {
              label: say('replacedBy'),
              value: (
                <Link className="mono" to="/pricing/model/$" params={{ _splat: card.replaced_by }}>
                  {card.replaced_by}
                </Link>
              ),
            },
          ]}
        />
      </div>
    </Panel>
  )
}
