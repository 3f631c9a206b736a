import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { gatewayUrl, isSigned, paymentForm, signature } from './epay.ts'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

describe('the signature', () => {
  it('is over the fields that say something, sorted, without encoding, followed by the key', () => {
    const fields = { b: '2 ü&', a: '1', c: '', sign: 'x', sign_type: 'MD5', B: '3' }
    expect(signature(fields, 'KEY')).toBe(md5('B=3&a=1&b=2 ü&KEY'))
  })

  it('fits only the fields and the key it was made with', () => {
    const fields = { money: '7.30', pid: '1001' }
    const sign = signature(fields, 'KEY')
    expect(isSigned({ ...fields, sign, sign_type: 'MD5' }, 'KEY')).toBe(true)
    expect(isSigned({ ...fields, sign: sign.toUpperCase() }, 'KEY')).toBe(true)
    for (const forged of [
      { ...fields, sign: signature(fields, 'OTHER') },
      { ...fields, money: '0.01', sign },
      { ...fields, more: 'x', sign },
      { ...fields, sign: '' },
      { ...fields, sign: sign.slice(1) },
      { ...fields, sign: `${sign}0` },
      fields,
    ])
      expect(isSigned(forged, 'KEY')).toBe(false)
  })
})

it('makes the form of an order', () => {
  const order = {
    merchantId: '1001',
    type: 'alipay',
    tradeNo: 'USR1NOabc',
    name: 'TUC10',
    money: '73.00',
    notifyUrl: 'https://gate.example/api/user/epay/notify',
    returnUrl: 'https://gate.example/topup',
  }
  const form = paymentForm(order, 'KEY')
  expect(form).toMatchObject({
    pid: '1001',
    type: 'alipay',
    out_trade_no: 'USR1NOabc',
    notify_url: 'https://gate.example/api/user/epay/notify',
    return_url: 'https://gate.example/topup',
    name: 'TUC10',
    money: '73.00',
    device: 'pc',
    sign_type: 'MD5',
  })
  expect(form.sign).toBe(
    md5(
      'device=pc&money=73.00&name=TUC10&notify_url=https://gate.example/api/user/epay/notify&out_trade_no=USR1NOabc&pid=1001&return_url=https://gate.example/topup&type=alipayKEY',
    ),
  )
})

it('knows where a gateway is, with and without a path of its own', () => {
  expect(gatewayUrl('https://pay.example', 'submit.php').href).toBe('https://pay.example/submit.php')
  expect(gatewayUrl('https://pay.example/epay/', 'api.php').href).toBe('https://pay.example/epay/api.php')
})
