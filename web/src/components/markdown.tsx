import { Fragment, type ReactNode } from 'react'
import { type Block, type Inline, parseMarkdown } from '../lib/markdown.ts'
import { CodeBlock } from './code-block.tsx'
import classes from './markdown.module.css'

const inline = (parts: readonly Inline[]): ReactNode =>
  parts.map((part, index): ReactNode => {
    const key = `${index}:${part.kind}`
    switch (part.kind) {
      case 'text':
        return <Fragment key={key}>{part.text}</Fragment>
      case 'code':
        return (
          <code key={key} className={classes.code}>
            {part.text}
          </code>
        )
      case 'strong':
        return <strong key={key}>{inline(part.children)}</strong>
      case 'emphasis':
        return <em key={key}>{inline(part.children)}</em>
      case 'struck':
        return <s key={key}>{inline(part.children)}</s>
      case 'break':
        return <br key={key} />
      case 'image':
        return <img key={key} src={part.address} alt={part.text} className={classes.image} />
      case 'link':
        return (
          <a key={key} href={part.address} target="_blank" rel="noopener noreferrer">
            {inline(part.children)}
          </a>
        )
      default:
        return null
    }
  })

const blockOf = (block: Block, key: string): ReactNode => {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${Math.min(6, block.level + 1)}` as 'h2'
      return <Heading key={key}>{inline(block.children)}</Heading>
    }
    case 'paragraph':
      return <p key={key}>{inline(block.children)}</p>
    case 'code':
      return <CodeBlock key={key} code={block.text} language={block.language} />
    case 'rule':
      return <hr key={key} />
    case 'quote':
      return <blockquote key={key}>{block.blocks.map((inner, index) => blockOf(inner, `${key}.${index}`))}</blockquote>
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul'
      return (
        <List key={key} start={block.ordered ? block.start : undefined}>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items of a text only ever grow at the end
            <li key={index}>{item.map((inner, place) => blockOf(inner, `${key}.${index}.${place}`))}</li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        <div key={key} className={classes.tableFrame}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns of a text never move
                  <th key={index} style={{ textAlign: block.align[index] }}>
                    {inline(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, line) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text only ever grow at the end
                <tr key={line}>
                  {row.map((cell, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns of a text never move
                    <td key={index} style={{ textAlign: block.align[index] }}>
                      {inline(cell)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
  }
}

/** Markdown as React elements: nothing of the text is ever read as HTML, and links lead only to web and mail addresses. */
export const Markdown = ({ text }: { text: string }) => (
  <div className={classes.markdown}>{parseMarkdown(text).map((block, index) => blockOf(block, String(index)))}</div>
)
