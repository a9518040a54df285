/**
 * Three handwritings as strokes of a pen. The Hershey Fonts were originally created by Dr. A. V. Hershey while
 * working at the U. S. National Bureau of Standards; these are its Script Simplex, Italic Complex and Script Complex.
 *
 * A hand has its letters in the order of `letters`, between dots: the width, then strokes between spaces, each of
 * them points of two digits. A digit is its place in `digits`, less 16.
 */
const hands = [
  'ygCiBlyousnvhvCuzswqunslsktkvlxnzqBtCyC.CtjukuntrsurwpznBlCkCjBjyktlqmoolqjsivhyhAiBkBmAozpxqur trur' +
    'xsytzvzyyAxBvCsCqBpz.AsnsotpvpxoymykxivhshpinklnkpjtjxkAlBnCpCsBuzvx.EthriqkpoounxmzkBiCgCfBfzgyiykz' +
    'mBpCsCvBxzzvAqAmzjyiwhthrjrlsourwtzvBw.AulumvnxnymykxiuhqhnimkmnnpoqrrorlsktjvjykAlBoCrCuBwzxx.Aqnon' +
    'mmlkmiphshwiziBh wiupsvqzoBmCkCiBhzhxiwkwmx pryr.EgCiBmxpsqprlriqhphoinknnopqquqxpyozmzsyxxzvBsCoClB' +
    'jzixiv.EnolnklkklinhohqirkrmqqowmAkCiChBhz ntwqypBnDlEjEiDhChAjynwtvyvBwCxCzBAACx.wuxsvqspqonokpiqhs' +
    'htiukuntsrxqzoBmCkCiBhzhxiwkwmx.uqFoCmxlrllmiohqhrislsortoCmIlLkNiOhNhLiIkFmDpBtz.Enolnklkklinhohqir' +
    'krmqqowmAkCiChBhz EkEiDhChAiykwnupsqqq sqtstzuBvCwCyBzABx.AktmtqstqvowmwjvhthsirkqppuoxnzlBjChCgBgzh' +
    'yjylzoBrCtCwByz.KlojnilikjilhmhoipkpmornvlC nvqnsjtivhwhyizkzmyrxvvC xvAnCjDiFhGhIiJkJmIrGyGBHCICKBL' +
    'ANx.ClojnilikjilhmhoipkpmornvlC nvqnsjtivhxhziAkAmzrxyxByCzCBBCAEx.CshpinklnkpjtjxkAlBnCpCsBuzwwxuyq' +
    'ymxjwiuhshqjqmrptsvuywAx.GtjukuntrsurwpznBlCkCjBjyktlqmoolqjsivhAhCiDjElEoDqCrAsxsvruq.Etnsprqprnrmp' +
    'mnnkpishvhxiykyoxrvuryoAmBjChCgBgzhyjylzoBrCuCxBzz.GtjukuntrsurwpznBlCkCjBjyktlqmoolqjsivhzhBiCjDlDo' +
    'CqBrzswstrusvuvzwByCABBADx.AgCiBkznvpsroslsirhqhpiokomporquswuxwxywAvBsCoClBjzixiv.yqnonmmlkmiphshwi' +
    'ziBh wiupsvqzoBmCkCiBhzhxiwkwmx.ClojnilikjilhmhoipkpmoqntmxmznBpCrCtBuAwwzoBh zoysxyxByCzCBBCAEx.Clo' +
    'jnilikjilhmhoipkpmoqntmxmAnCpCrBuywvyrzoAkAizhyhxiwkwmxpzrBs.GlojnilikjilhmhoipkpnoC yhoC yhwC KhIiF' +
    'lCpzvwC.EonmnlmlkmiohqhsitktnrwrzsBuCwCyBzzzxywww DkDiChAhyiwkunqwozmBkCiChBhz.Clojnilikjilhmhoipkpm' +
    'oqntmxmznBoCqCsBuzwwxuzo BhzowyuEsJqNoOnNnLoIqFtCwABx.CtnsprqprnrmpmnnkpishvhxiykyoxrvvsyoBmCjCiBizj' +
    'ymyozpAqCqFpIoKmNkOjNjLkImFpCsAyx.ApwoumtktiuhvgxgzhBjClCnBozqtpypBqCrCtBuAwx.ygxiulpmnnknimhkijkioh' +
    'vhBiCjClBnzowotpxqysyux.snvnumtktiuhvgxgzhBjCmCpArx.ApwoumtktiuhvgxgzhBjClCnBozuh qtpypBqCrCtBuAwx.s' +
    'hAjzkylwluktjthugwgzhBjClCnBoAqx.qgxksmpnnokoinhlikkisfBcIbLbNcOeNfKgBhCjClBmAox.ypwoumtktiuhvgxgzhB' +
    'jClCnBoA qtoAkLjNhOgNgLhIkFnDpCsAvx.AgxiulpmnnknimhkijkiohugC gChzixkumtotpupwozoBpCqCsBtAvx.qjojpkp' +
    'kojo gxitgzgBhCiCkBlAnx.qjojpkpkojo gxitcLbN9O8N8L9IcFfDhCkAnx.ygxiulpmnnknimhkijkiohugC gChzixkumto' +
    'tpupwnxkx kxmynBoCpCrBsAux.qgxiulpmnnknimhkijkiohvhBiCjClBmAox.EgxiuktlulvkzjC kzlxnuptrtsusvrzqC rz' +
    'sxuuwtytzuzwyzyBzCACCBDAFx.AgxiuktlulvkzjC kzlxnuptrtsuswrzrBsCtCvBwAyx.wmtktiuhvgxgzhBjClCnBoApypwo' +
    'umtlulwmyozrztyux.wgxiujsiwcO iwjultntpuqwqypAoBmC iBkCnCqBsAvx.ypwoumtktiuhvgxgzhBjClCnB qtpwnBkIjL' +
    'jNkOmNnKnDpCsAvx.wgxiujsjumunvnxmAmBnCoCqBrAtx.ugxiujsjulxmzmBkC gBiCmCoBpArx.sgxiukq nhhzhBiCkCmBnA' +
    'px hpop.ygxitgzgBhCjClBnzpw qtozoBpCqCsBtAvx.ygxithyhBiCjCmBozpwpt ptqxrytyvx.EjthvgygAhCjClBnz ptnz' +
    'nBoCqCsBuzvwvt vtwxxyzyBx.wgxiuktmtnunBoCrCuAwx tustqtpulBkCiChB.ygxitgzgBhCjClBnzpw qtkLjNhOgNgLhIk' +
    'FnDpCsAvx.wgxiuktmtovoxnzlBiCkDlFlIkLjNhOgNgLhIkFnDrAux.sojniohpipjolmn.GktCt.qlAkBlCmBlA',
  'AthgC thuC sjtC kwtw eCkC qCwC.EphjC qhkC mhxhAiBkBmApzqwr xhziAkAmzpyqwr nrwryszuzwyzwBsCgC wrxsyuy' +
    'wxzvBsC.CyjzjAhznzlyjxivhshpinklnkqjujxkAlBoCrCtBvzwx shqiokmnlqkukxlAmBoC.CphjC qhkC mhvhyizjAmAqzu' +
    'xyvAtBpCgC vhxiyjzmzqyuwyuAsBpC.CphjC qhkC unsv mhBhAnAh nrtr gCvCxxuC.AphjC qhkC unsv mhBhAnAh nrtr' +
    ' gCnC.EyjzjAhznzlyjxivhshpinklnkqjujxkAlBoCqCtBvzxv shqiokmnlqkukxlAmBoC qCsBuzwv tvAv.GphjC qhkC Ch' +
    'wC DhxC mhth zhGh nrzr gCnC tCAC.uphjC qhkC mhth gCnC.yvhqypAoBmCkCiBhzhxiwjxiy uhpyoAmC rhyh.CphjC ' +
    'qhkC Dhmu tqxC sqwC mhth zhFh gCnC tCzC.AphjC qhkC mhth gCvCxwuC.IphjC phqC qhrA DhqC DhxC EhyC mhqh' +
    ' DhHh gCmC uCBC.GphjC phwz pkwC ChwC mhph zhFh gCmC.CshpinklnkqjujxkAlBnCqCtBvzxwytzpzmyjxivhsh shqi' +
    'okmnlqkukxlAnC qCsBuzwwxtypymxjvh.CphjC qhkC mhyhBiCkCmBpzrvsns yhAiBkBmApyrvs gCnC.Cshpinklnkqjujxk' +
    'AlBnCqCtBvzxwytzpzmyjxivhsh shqiokmnlqkukxlAnC qCsBuzwwxtypymxjvh lAlzmxowpwrxszsGtHvHwFwE sztFuGvGw' +
    'F.EphjC qhkC mhxhAiBkBmApzqwrnr xhziAkAmzpyqwr srusvtwBxCzCAAAz vtxAyBzBAA gCnC.EzjAjBhAnAlzjyivhrho' +
    'imkmmnoopvtxv mmoovswtxvxywAvBsCoClBkAjyjwiCjAkA.CthnC uhoC nhknmhBhAnAh kCrC.GohlskwkzlBoCsCvBxzywC' +
    'h phmslwlzmBoC lhsh zhFh.AmhnC nhoA AhnC khqh whCh.GohmC phnA whmC whuC xhvA EhuC lhsh BhHh.CnhuC oh' +
    'vC BhhC lhrh xhDh fClC rCxC.CmhqrnC nhrroC Bhrr khqh xhDh kCrC.CAhhC BhiC ohlnnhBh hCvCxwuC.Cwouvtzt' +
    'BuCxCzAAy xovvuzuBvC uvustpropompksjvjykAlBnCpCrBtyuv ponplskvkzlB.yohkukxlAmB phlu lumropqosoupvqws' +
    'wvvytBqCoCmBlylu upvrvvuysBqC lhph.yurusvsvrupsopompksjvjykAlBnCpCsBuy ponplskvkzlB.CyhuvtztBuCxCzAA' +
    'y zhvvuzuBvC uvustpropompksjvjykAlBnCpCrBtyuv ponplskvkzlB vhzh.ykxowrvutvrupsopompksjvjykAlBnCpCsBu' +
    'z ponplskvkzlB.wviujvkwjwivhthriqjploolCkGjI thrjqlppnymClFkHjIhJfJeIeHfGgHfI kouo.AxotCsFqInJkJiIhH' +
    'hGiFjGiH wosCrFpInJ uvustpropompksjvjykAlBnCpCrBtyuv ponplskvkzlB.CohiC phjC lvnrpprotovpwqwsuyuBvC ' +
    'tovqvstytBuCxCzAAy lhph.uphoipjqiph hsiqkonooposmymBnC monpnslylBmCpCrAsy.uqhpiqjriqh isjqlooopppsmC' +
    'lFkHjIhJfJeIeHfGgHfI nooposlCkFjHhJ.AohiC phjC wpvqwrxqxpwovotpptnulu nupvrBsC nuovqBrCtCvBxy lhph.u' +
    'ohkvjzjBkCnCpAqy phlvkzkBlC lhph.MhsiqkonoopornvlC monpnrmvkC nvprrptovoxpyqysvC voxqxsuC xvzrBpDoFo' +
    'HpIqIsGyGBHC FoHqHsFyFBGCJCLAMy.ChsiqkonoopornvlC monpnrmvkC nvprrptovoxpyqyswywBxC voxqxsvyvBwCzCBA' +
    'Cy.ypompksjvjykAlBnCpCsBuyvvvsuqtpropo ponplskvkzlB pCrBtyuvurtp.AhsiqkonoopornvjJ monpnrmviJ nvosqp' +
    'souowpxqysyvxyvBsCqCoBnynv wpxrxvwyuBsC fJmJ.AwoqJ xorJ uvustpropompksjvjykAlBnCpCrBtyuv ponplskvkzl' +
    'B nJuJ.whsiqkonoopornvlC monpnrmvkC nvprrptovowpwqvruqvp.yuqurvrvquprooolpkqksltsxty krlsswtxtAsBpCm' +
    'CjBiAizjzjA.uphlvkzkBlCoCqAry qhmvlzlBmC joso.ChsiqkonooposmymAoC monpnslylAmBoCqCsBuzwv yowvvzvBwCz' +
    'CBACy zoxvwzwBxC.AhsiqkonooposmymAoC monpnslylAmBoCpCsBuzwwxsxowoxq.IhsiqkonooposmymAoC monpnslylAmB' +
    'oCqCsBuzvx xovxvAwByCACCBEzFxGtGoFoGq yowxwAyC.Ajslpnoqorqrt poqqqtpxozmBkCjCiBiAjzkAjB pxpAqCtCvBxy' +
    ' xpwqxryqypxowoupsrrtqxqArC.AhsiqkonooposmymAoC monpnslylAmBoCqCsBuzwv zovCuFsIpJmJkIjHjGkFlGkH youC' +
    'tFrIpJ.AxowqusmykAjC kslqnoqouq lqnpqpuqwq kAmAqBtBvA mAqCtCvAwy.qnhlo ohlo.GktCt.sjAiBjCkBjA',
  'AzhxjvmsrqunykBiCgCfBfzgyhzgA zhylwvvC zhwC vCvAuxtvrtpsnsmtmvnyqBtCxCzB.EviujtlrqpwoymBkC ujtmruqxp' +
    'znBkCiChBhziyjziA pnopnqlqkpknllnjpishyhAiBkBmAoypuqsq yhziAkAmzoyp uqxryszuzxyAxBvCtCsBsztw uqwrxsy' +
    'uyxxAvC.CjjilinjpmqpqtpvoxmykyixhvhsiplnolskwkzlBoCqCtBvzwxwvvtttruqw vhtiqloomslwlzmBoC.Cviujtlrqpw' +
    'oymBkC ujtmruqxpznBkCiChBhziykymzoBqCtCvBxzzvAqAnzkxivhqhnilkkmkolpnpoopm.Auktltnuowoxmxkwiuhrhpiojn' +
    'lnnopqq rhpjolooqq qqoqlrjtiviyjAkBmCpCsBuzvxvvutstqupw oqmrktjvjzkB.AwjvltqrwqyoBmC qnppnqlqkokmlkn' +
    'iqhAhxiwjvmtusxrzpBmCkCiBhAhziyjziA shwixi ouptrsvsxrzoxv.Cjkimiojqlrorrqtpwmxjxiwhvhtirkqmpppsqusvu' +
    'vwuyszq whuiskrmqpqtsv zqyuwyuAsBoClCjBiziyjxkyjz yuwxuzrBoC.EmnlmlkmiphshpsnymAlBjChCgBgzhyizhA shp' +
    'qotmylAjC kvluntwqypBnDlEjEiDhChAiylxnvtuxuAwCxCzBBz ChAjynwtvxvAwC.uujsmqrownylBjC wnuprqoqmplnllmj' +
    'oishwhujtlrrpxozmBjChCgBgzhyizhA.wwhujsmqrnAlE wouqrrormqlolmmkoishwhuktmqvoznBlEkFiGhFhDiBkzmypxtw.' +
    'EmnlmlkniqhshpsnymAlBjChCgBgzhyizhA shpqotmylAjC Aixmvotpqq DiCjDkEjEiDhChAixnwoupqq qqtrutvAwC qqsr' +
    'ttuAwCxCzBBz.ykkjmjokqmrprsqupxmyjyixhwhuitjrmnwmykBiC tjrnpuoxnzlBiCgCfBfzgyiykznBpCsCuBwz.Iuhqqnwl' +
    'zjBhCfCeBezfygzfA uhsorsqxqBsC uhtlsqrxrBsC DhzquzsC DhBoAszxzBBCCCEBGz DhClBqAxABBC.ErhqlormwlyjBhC' +
    'fCeBezfygzfA rhrmsxtC rhsmtxtC FiEjFkGjGiFhDhBizlynwsuytC.CrhpinklnkpjtjxkAlBnCpCsBuzwwxuyqymxjwivit' +
    'jrlppouox pinllpktkxlAnC.CviujtlrqpwoymBkC ujtmruqxpznBkCiChBhziyjziA pnopnqlqkpknllnjpishwhziAjBlBo' +
    'Aqzrwsussr whyizjAlAozqyrws.CtltnsprqprnrmpmnnkpishvhxiykyoxrvuryoAmBjChCgBgzhyjylzoBrCuCwByz vhwixk' +
    'xowruurxnAjC.EviujtlrqpwoymBkC ujtmruqxpznBkCiChBhziyjziA pnopnqlqkpknllnjpishxhAiBkBmAozpwqsq xhziA' +
    'kAmzoypwq sqvrwtxAyC squrvtwAyCzCBBDz.AmklmlomqorrruqwpzmAjAizhyhwivjultorvqyoBmC ultpswrzpBmCjChBgz' +
    'gyhxiyhz.ywjvltqrwqyoBmC qnppnqlqkokmlkniqhzhxiwjvmtusxrzpBmCkCiBhAhziyjziA shwixi.Chljilhmhojomnpkx' +
    'kAlC mhnjnmkujxjAlCnCpBsyuvvt zhvtuxuAwCxCzBBz AhwtvxvAwC.AhljilhmhojomnqlxlAmC mhnjnmltkxkAmCnCqBty' +
    'vvxryozkziyhxhwivkvnwpyrAsCs.CjninhmhkiikhohnjmnlwkC mnmwlC whujsnpwnAlC whvjuntwsC unuwtC GhEiCkAnx' +
    'wvAtC.AomnnlnkmkklinhphrisksnrrpwnzlBiCgCfBfzgyhzgA phqirkrnqrowmzkBiC BiAjBkCjCiBhzhxivktnrrqwqzrBs' +
    'CtCvBxz.Cjllinhohqiqkoqotpv ohpipknqntpvrvuuwsypzn Bhznwvuz ChAnyswwuzsBpClCjBiziyjxkyjz.Azjylwqvtuv' +
    'syqAoBlC snrppqnqmommnkpishChAizjymxqvwtzqBlChCgBgzhyjylzoBqCtCwByz vhziAi.yqwpuntltjuivhxhziBkCmCoB' +
    'pz ltjvixiAkC rtpzpBrCtBuAwx stqzqBrC.wgxiukq nhhzhBjCkCmBozpwptqxrysyux ohiziBjC.sounvovountltjuivh' +
    'xhziBkCnCqAsx ltjvixiAkC.yqwpuntltjuivhxhziBkCmCoBpz ltjvixiAkC vhpzpBrCtBuAwx whqzqBrC.sjAlzmynwnum' +
    'tltjuivhxhziBkCnCqAsx ltjvixiAkC.sjtmqonpkpiohmilkcLcNdOfNgKhBiCkCmBnApx lkkpjtgCeHcL.yqwpuntltjuivh' +
    'xhziBkCmCoBpz ltjvixiAkC rtlL stpCnHlLkNiOhNhLiIkGnErCuAwx.ygxiukq nhgC ohhC jwluntotquqwpzpBqC otpu' +
    'pwozoBqCsBtAvx.olnkolpmoln jthzhBjClBmAox ktiziBjC.olnkolpmoln jtdL kthCfHdLcNaO9N9LaIcGfEjCmAox.wgx' +
    'iukq nhgC ohhC ptpuquptotmvjw jwmxnBoC jwlxmBoCpCsAux.ogxiukq nhhzhBjClBmAox ohiziBjC.EgxiuktmumwkC ' +
    'ktlulwjC mwouqtrttutwrC rtsuswqC twvuxtytAuAwzzzBAC ytzuzwyzyBACCBDAFx.ygxiuktmumwkC ktlulwjC mwouqt' +
    'rttutwszsBtC rtsuswrzrBtCvBwAyx.untltjuivhxhziBkCmCoBpAqyqwpuntmumwnypzrztyux ltjvixiAkC.ygxiukq lnc' +
    'O mndO jwluntotquqwpzpBqC otpupwozoBqCsBtAvx.yqwpuntltjuivhxhziBkCmCoB ltjvixiAkC rtlLlNmOoNpKpCrCuA' +
    'wx stpCnHlL.wgxiuktmumwkC ktlulwjC mwouqtrtqw qtqwrysyux.wgxiujsjumwnynAmBkC julwmymAkC gBiCnCqAsx.o' +
    'gxiukq nhhzhBjClBmAox ohiziBjC ipop.yjthzhBjCkCmBozqw ktiziBjC rtpzpBrCtBuAwx stqzqBrC.wjtivhyhBjCkC' +
    'nBpzqwqt ktjviyiBjC qtrxsytyvx.CktivhyhBjCkCmBoz ltjviyiBjC qtozoBqCrCtBvzwwwt rtpzpBqC wtxxyyzyBx.w' +
    'gxiuktmtnunwmzlBjCiChBhAiAhB tusvtvtustrtpuownznBoCrCuAwx nuow punw mznB nzlB.yjthzhBjCkCmBozqw ktiz' +
    'iBjC rtlL stpCnHlLkNiOhNhLiIkGnErCuAwx.ugxiuktmtouoxnzkBiC mtnunxmzkB iCkDlFlIkLiNgOfNfLgIjFmDqAtx i' +
    'CjDkFkIjLiN.sojniohpipjolmn.GktCt.sjAiBjCkBjA',
]

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'-."
const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-'

type Point = [x: number, y: number]
type Glyph = { width: number; strokes: Point[][] }

const number = (digit = '') => digits.indexOf(digit) - 16
const read = hands.map((hand) =>
  hand.split('.').map((glyph): Glyph => {
    const strokes = glyph.slice(1).split(' ').filter(Boolean)
    return { width: number(glyph[0]), strokes: strokes.map(pointsOf) }
  }),
)

function pointsOf(stroke: string): Point[] {
  return Array.from({ length: stroke.length / 2 }, (_, i) => [
    number(stroke[2 * i]),
    number(stroke[2 * i + 1]),
  ])
}

/** How many hands there are. */
export const handCount = hands.length

/** The marks of letters, above (from 0 to 1 in the width of the letter) or below them. */
const marks: { [mark: string]: Point[][] } = {
  '\u0300': [
    [
      [0.3, -5],
      [0.6, -1],
    ],
  ],
  '\u0301': [
    [
      [0.7, -5],
      [0.4, -1],
    ],
  ],
  '\u0302': [
    [
      [0.2, -1],
      [0.5, -5],
      [0.8, -1],
    ],
  ],
  '\u0303': [
    [
      [0.1, -2],
      [0.3, -4],
      [0.6, -2],
      [0.9, -4],
    ],
  ],
  '\u0304': [
    [
      [0.2, -3],
      [0.8, -3],
    ],
  ],
  '\u0306': [
    [
      [0.2, -5],
      [0.5, -2],
      [0.8, -5],
    ],
  ],
  '\u0307': [
    [
      [0.5, -4],
      [0.55, -3],
    ],
  ],
  '\u0308': [
    [
      [0.25, -4],
      [0.3, -3],
    ],
    [
      [0.7, -4],
      [0.75, -3],
    ],
  ],
  '\u030a': [
    [
      [0.5, -6],
      [0.3, -4],
      [0.5, -2],
      [0.7, -4],
      [0.5, -6],
    ],
  ],
  '\u030b': [
    [
      [0.4, -5],
      [0.25, -1],
    ],
    [
      [0.8, -5],
      [0.65, -1],
    ],
  ],
  '\u030c': [
    [
      [0.2, -5],
      [0.5, -1],
      [0.8, -5],
    ],
  ],
  '\u0327': [
    [
      [0.5, 22],
      [0.65, 25],
      [0.3, 27],
    ],
  ],
  '\u0328': [
    [
      [0.6, 22],
      [0.4, 25],
      [0.75, 27],
    ],
  ],
}

/** Letters that are no others with a mark. */
const spelled: { [letter: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  '’': "'",
}

/** A name in a hand as path data in a box of 600 × 200; undefined if it has letters that the hands lack. */
export function written(name: string, hand: number): string | undefined {
  const glyphs = read[hand] ?? []
  const strokes: Point[][] = []
  let left = 0
  let last: Glyph = { width: 0, strokes: [] }
  let start = 0
  for (const char of name
    .trim()
    .replaceAll(/./gu, (each) => spelled[each] ?? each)
    .normalize('NFD')) {
    if (/\s/.test(char)) {
      left += 14
      continue
    }
    const mark = marks[char]
    if (mark) {
      strokes.push(...placed(mark, last, start))
      continue
    }
    const glyph = glyphs[letters.indexOf(char)]
    if (!glyph || !letters.includes(char)) return undefined
    strokes.push(...glyph.strokes.map((stroke) => stroke.map(([x, y]): Point => [left + x, y])))
    start = left
    left += glyph.width
    last = glyph
  }
  return strokes.length ? fitted(strokes) : undefined
}

/** The strokes of a mark at the letter before it. */
function placed(mark: Point[][], { width, strokes }: Glyph, left: number): Point[][] {
  const top = Math.min(...strokes.flat().map(([, y]) => y))
  return mark.map((stroke) =>
    stroke.map(([x, y]): Point => [left + x * width, y < 20 ? top + y : y]),
  )
}

/** Strokes as large as the box allows, with a margin, in its middle. */
function fitted(strokes: Point[][]): string {
  const xs = strokes.flat().map(([x]) => x)
  const ys = strokes.flat().map(([, y]) => y)
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left || 1, Math.max(...ys) - top || 1]
  const scale = Math.min(560 / width, 160 / height, 6)
  const [x0, y0] = [(600 - width * scale) / 2, (200 - height * scale) / 2]
  const point = ([x, y]: Point) =>
    `${Math.round(x0 + (x - left) * scale)} ${Math.round(y0 + (y - top) * scale)}`
  return strokes.map((stroke) => `M${stroke.map(point).join('L')}`).join('')
}
