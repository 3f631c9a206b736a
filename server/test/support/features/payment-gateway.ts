import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type Fields, isSigned, signature } from '../../../src/features/wallet/epay.ts'

export interface GatewayParts {
  readonly merchantId: string
  readonly key: string
}

/** An order that a browser brought. */
export interface GatewayOrder {
  readonly fields: Fields
  readonly tradeNo: string
  paid: boolean
}

/** A payment gateway that speaks the protocol: takes orders in a form, notifies, and answers questions about orders. */
export interface TestGateway {
  readonly url: string
  readonly orders: Map<string, GatewayOrder>
  /** Orders whose signature or merchant was wrong. */
  readonly refused: Fields[]
  /** Answer of its order query in place of the true one; undefined for the true one. */
  answer: ((order: GatewayOrder | undefined) => unknown) | undefined
  /** The callback for an order, signed after `changes`. */
  callback(outTradeNo: string, changes?: Fields): Fields
  /** Sends a callback to where the order says, and returns the reply. */
  notify(outTradeNo: string, how?: { changes?: Fields; method?: 'GET' | 'POST' }): Promise<string>
  close(): Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const cashier = ({ fields }: GatewayOrder): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Test gateway</title></head><body>
<main><h1>Pay ${escaped(fields.money ?? '')}</h1>
<form method="post" action="/paid?out_trade_no=${escaped(fields.out_trade_no ?? '')}"><button>Pay now</button></form></main>
</body></html>`

export const startTestGateway = async ({ merchantId, key }: GatewayParts): Promise<TestGateway> => {
  const orders = new Map<string, GatewayOrder>()
  const refused: Fields[] = []

  const take = (fields: Fields): GatewayOrder | undefined => {
    if (!isSigned(fields, key) || fields.pid !== merchantId) {
      refused.push(fields)
      return undefined
    }
    const order = { fields, tradeNo: `2026${orders.size + 1}`, paid: false }
    orders.set(fields.out_trade_no ?? '', order)
    return order
  }

  const truth = (order: GatewayOrder | undefined): unknown =>
    order === undefined
      ? { code: -1, msg: 'order does not exist' }
      : {
          code: 1,
          msg: 'ok',
          trade_no: order.tradeNo,
          out_trade_no: order.fields.out_trade_no,
          type: order.fields.type,
          pid: Number(order.fields.pid),
          money: order.fields.money,
          status: order.paid ? 1 : 0,
        }

  const gateway: TestGateway = {
    url: '',
    orders,
    refused,
    answer: undefined,
    callback(outTradeNo, changes = {}) {
      const order = orders.get(outTradeNo)
      const fields: Record<string, string> = {
        pid: merchantId,
        trade_no: order?.tradeNo ?? '',
        out_trade_no: outTradeNo,
        type: order?.fields.type ?? 'alipay',
        name: order?.fields.name ?? '',
        money: order?.fields.money ?? '1.00',
        trade_status: 'TRADE_SUCCESS',
        ...changes,
      }
      return { ...fields, sign: changes.sign ?? signature(fields, key), sign_type: 'MD5' }
    },
    async notify(outTradeNo, { changes = {}, method = 'GET' } = {}) {
      const order = orders.get(outTradeNo)
      const address = order?.fields.notify_url ?? ''
      const fields = new URLSearchParams(gateway.callback(outTradeNo, changes))
      const answer =
        method === 'GET' ? await fetch(`${address}?${fields}`) : await fetch(address, { method, body: fields })
      return answer.text()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://gateway.test')
    const html = (text: string, status = 200): void => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
      response.end(text)
    }
    const handle = async (): Promise<void> => {
      const fields = Object.fromEntries(new URLSearchParams(await bodyOf(request)))
      if (url.pathname === '/pay/submit.php') {
        const order = take({ ...Object.fromEntries(url.searchParams), ...fields })
        if (order === undefined) return html('the signature is wrong', 403)
        // As real ones do: the cashier is another page, on another host.
        response.writeHead(302, { location: `/cashier?out_trade_no=${order.fields.out_trade_no}` })
        response.end()
        return
      }
      const order = orders.get(url.searchParams.get('out_trade_no') ?? '')
      if (url.pathname === '/cashier') return order === undefined ? html('unknown', 404) : html(cashier(order))
      if (url.pathname === '/paid' && order !== undefined) {
        order.paid = true
        const reply = await gateway.notify(order.fields.out_trade_no ?? '')
        if (reply !== 'success') return html(`the shop said ${reply}`, 502)
        response.writeHead(302, {
          location: `${order.fields.return_url}?${new URLSearchParams(gateway.callback(order.fields.out_trade_no ?? ''))}`,
        })
        response.end()
        return
      }
      if (url.pathname === '/pay/api.php' && url.searchParams.get('act') === 'order') {
        const isMerchant = url.searchParams.get('pid') === merchantId && url.searchParams.get('key') === key
        const answer = isMerchant ? (gateway.answer ?? truth)(order) : { code: -3, msg: 'wrong merchant or key' }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(answer))
        return
      }
      html('not found', 404)
    }
    handle().catch((error: unknown) => html(String(error), 500))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return Object.assign(gateway, { url: `http://127.0.0.1:${port}/pay` })
}
