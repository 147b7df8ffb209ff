"""Legal forms by country, as they are written → word sequences, as the reader of names folds them."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from agentv_py.comparison.readers.name import fold_words

# Forms at the end of a name. A form that folds to an everyday word or a name is left out: NL, z.o.o. (San Diego Zoo),
# TOO, M.I.K.E., MEI, PrAT.
_AT_END = {
    "United States": "Inc.|Incorporated|Corp.|Corporation|Co.|Company|LLC|L.L.C.|LLP|LP|LLLP|PLLC|PC|P.C.|P.A.|Ltd. Co.|N.A.|Ltd. Liability Co.|Limited Liability Company|Limited Partnership",
    "United Kingdom and Ireland": "Ltd.|Limited|PLC|Public Limited Company|CIC|DAC|Unlimited|Teoranta|CLG",
    "Canada": "Ltée|Limitée|Inc./Ltée|ULC|Cie|Compagnie|s.e.n.c.|s.e.c.",
    "Australia and New Zealand": "Pty Ltd|Pty Limited|Pty|Proprietary Limited|Proprietary",
    "South Africa": "(Pty) Ltd|CC|NPC|SOC Ltd",
    "Germany": "GmbH|gGmbH|mbH|GmbH & Co. KG|GmbH & Co. KGaA|GmbH & Co. OHG|GmbH & Cie. KG|AG & Co. KG|AG & Co. KGaA|UG & Co. KG|SE & Co. KGaA|SE & Co. KG|AG|KG|KGaA|OHG|GbR|UG|UG (haftungsbeschränkt)|haftungsbeschränkt|e.K.|e.Kfm.|e.Kfr.|e.V.|eG|SE|PartG|PartG mbB|PartGmbB|VVaG|Gesellschaft mit beschränkter Haftung|Aktiengesellschaft|InvAG",
    "Austria": "GesmbH|Ges.m.b.H.|Ges.m.b.H. & Co. KG|GesbR|OG|OEG|KEG|e.U.|FlexCo|Gen.m.b.H.",
    "Switzerland and Liechtenstein": "Sàrl|Sagl|SA|GmbH|AG|Anstalt|Genossenschaft",
    "France": "S.A.|S.A.S.|S.A.S.U.|S.A.R.L.|E.U.R.L.|S.N.C.|S.C.I.|S.C.A.|S.C.S.|SCOP|SELARL|SELAS|GIE|EI|EIRL|Sté|Société Anonyme|Société par actions simplifiée|Société à responsabilité limitée|et Cie|et Compagnie|et Fils SARL",
    "Belgium": "SPRL|BVBA|SRL|SC|SCRL|CVBA|ASBL|VZW|Comm.V|GCV|SComm",
    "Luxembourg": "S.à r.l.|S.à r.l.-S|SCSp|SICAV|SECS|S.e.c.s.",
    "Netherlands": "B.V.|N.V.|V.O.F.|C.V.|Coöperatie U.A.|U.A.|B.V.B.A.|Besloten Vennootschap|Naamloze Vennootschap",
    "Italy": "S.p.A.|S.r.l.|S.r.l.s.|S.r.l. unipersonale|S.n.c.|S.a.s.|S.a.p.a.|S.c.r.l.|S.c.a r.l.|Soc. Coop.|Soc. Coop. a r.l.|S.C.p.A.|S.s.|Società per Azioni|Società a responsabilità limitata|& C. S.n.c.|& C. S.a.s.",
    "Spain": "S.L.|S.L.U.|S.L.L.|S.L.N.E.|S.A.|S.A.U.|S.A.L.|S.L.P.|S.Coop.|S. Coop. V.|S.C.|C.B.|S.C.C.L.|Sociedad Limitada|Sociedad Anónima",
    "Portugal": "Lda.|Limitada|Unipessoal Lda.|S.A.|SGPS|SGPS S.A.|C.R.L.|E.P.E.",
    "Brazil": "Ltda.|Ltda. ME|Ltda. EPP|ME|EPP|EIRELI|EIRELI ME|S/A|S.A.|S/S|S/S Ltda.|Cia.|SLU",
    "Mexico": "S.A. de C.V.|S. de R.L. de C.V.|S. de R.L.|S.A.P.I. de C.V.|S.A.B. de C.V.|S.C.|A.C.|S.A.P.I.|S.A.B.|S.A.S. de C.V.|S. en C.|S.N.C.|S.C. de R.L. de C.V.|SOFOM E.N.R.|S.A. de C.V. SOFOM E.N.R.",
    "Latin America": "S.A.S.|S.R.L.|S.A.C.|S.A.A.|E.I.R.L.|SpA|Ltda.|C.A.|S.A.U.|S.A.C.I.|S.A.I.C.|S.A.C.I.F.|S.C.A.|S. en C.|S. en C.S.|C. por A.|E.U.|S.C.R.L.|S.H.|Cía. Ltda.|y Cía.|y Cía. Ltda.|Hnos. S.A.|R.L.",
    "Denmark": "A/S|ApS|I/S|K/S|P/S|IVS|A.m.b.a.|F.m.b.a.|S.m.b.a.|Aktieselskab|Anpartsselskab",
    "Norway": "AS|ASA|ANS|ENK|NUF|KS|Aksjeselskap",
    "Sweden": "AB|AB (publ)|HB|KB|Aktiebolag|Handelsbolag|Ek. för.|Ekonomisk förening",
    "Finland": "Oy|Oyj|Oy Ab|Oyj Abp|Abp|Ky|Ay|Tmi|T:mi|Osk|Osakeyhtiö|As Oy",
    "Iceland": "ehf.|hf.|ohf.|slhf.|slf.|sf.|ses.",
    "Estonia": "OÜ|AS|FIE|MTÜ|Osaühing|Aktsiaselts",
    "Latvia": "SIA|AS|IK|A/S|Sabiedrība ar ierobežotu atbildību",
    "Lithuania": "UAB|AB|MB|VšĮ|Uždaroji akcinė bendrovė",
    "Poland": "Sp. z o.o.|Sp. zo.o.|Sp.z.o.o.|Spółka z o.o.|Sp. z o.o. Sp. k.|Sp. z o.o. Sp. j.|Sp. k.|Sp. j.|S.A.|S.K.A.|S.C.|Sp. p.|P.S.A.|Spółka Akcyjna|Spółka z ograniczoną odpowiedzialnością|Spółka jawna|Spółka komandytowa|P.P.H.U.|z o.o.",
    "Czechia and Slovakia": "s.r.o.|spol. s r.o.|spol. s.r.o.|a.s.|akc. spol.|v.o.s.|k.s.|z.s.|o.p.s.|z.ú.|družstvo|j.s.a.|š.p.",
    "Hungary": "Kft.|Zrt.|Nyrt.|Bt.|Kkt.|Rt.|Kht.|e.v.|E.C.|Korlátolt Felelősségű Társaság",
    "Romania and Moldova": "S.R.L.|SRL-D|S.A.|S.N.C.|S.C.S.|S.C.A.|P.F.A.",
    "Bulgaria": "ООД|ЕООД|АД|ЕАД|ЕТ|СД|КД|OOD|EOOD|EAD|AD|ADSITZ|АДСИЦ|KD|KDA",
    "Croatia, Slovenia, Serbia, Bosnia, North Macedonia, Montenegro": "d.o.o.|d.d.|j.d.o.o.|k.d.|s.p.|d.n.o.|j.t.d.|a.d.|o.d.|obrt|д.о.о.|а.д.|ДОО|АД|ДООЕЛ|DOOEL|d.o.o.e.l.|o.d.o.|z.z.|z.b.o.",
    "Albania and Kosovo": "Sh.p.k.|Sh.a.|Sh.k.|L.L.C.|SH.P.K",
    "Greece and Cyprus": "Α.Ε.|Ε.Π.Ε.|Ο.Ε.|Ε.Ε.|Ι.Κ.Ε.|Μ.Ε.Π.Ε.|Α.Β.Ε.Ε.|A.E.|E.P.E.|O.E.|E.E.|I.K.E.|P.C.|A.B.E.E.|A.E.B.E.|Μον. Ι.Κ.Ε.",
    "Turkey": "A.Ş.|Ltd. Şti.|Limited Şirketi|Anonim Şirketi|San. ve Tic. A.Ş.|San. ve Tic. Ltd. Şti.|Sanayi ve Ticaret A.Ş.|Sanayi ve Ticaret Ltd. Şti.|Sanayi ve Ticaret Limited Şirketi|Sanayi ve Ticaret Anonim Şirketi|Tic. Ltd. Şti.|Tic. A.Ş.|T.A.Ş.|Koll. Şti.|Kom. Şti.|Koop.",
    "Russia, Belarus, Kazakhstan": "ООО|ОАО|ЗАО|ПАО|АО|НАО|ИП|ТОО|ОДО|ЧУП|УП|ИООО|ЗАТ|АТ|OOO|OAO|ZAO|PAO|LLP|ООО НПП|ГУП|МУП|ФГУП",
    "Ukraine": "ТОВ|ПрАТ|ПАТ|АТ|ПП|ФОП|ДП|ТДВ|TOV|PJSC|JSC|CJSC|OJSC|PrJSC",
    "Caucasus and Central Asia": "შპს|სს|ՍՊԸ|ՓԲԸ|ԲԲԸ|MMC|QSC|ASC|MChJ|AJ|QK|MCHJ QK|ХХК|ХК|ОсОО",
    "Israel": 'בע"מ|בעמ|Ltd.|B.M.',
    "Arab countries": "ش.م.م|ذ.م.م|ش.م.ع|ش.ذ.م.م|ش.م.ل|ش.م.ك|ش.م.ب|W.L.L.|WLL|S.A.E.|S.A.L.|S.A.O.G.|S.A.O.C.|K.S.C.|K.S.C.P.|K.S.C.C.|P.J.S.C.|PJSC|P.S.C.|Q.P.S.C.|Q.S.C.|B.S.C.|B.S.C. (c)|FZE|FZ-LLC|FZCO|FZC|DMCC|LLC-FZ|L.L.C - FZ|SARLAU|S.A.R.L.A.U.|SUARL|SPC|Establishment",
    "Iran and Afghanistan": "PJS|سهامی عام|سهامی خاص",
    "India": "Pvt. Ltd.|Private Limited|(P) Ltd.|P. Ltd.|Pvt. Limited|(Pvt) Ltd|OPC Pvt. Ltd.|(OPC) Private Limited|LLP|Limited|HUF|Co-op. Society Ltd.|प्राइवेट लिमिटेड|लिमिटेड",
    "Pakistan, Bangladesh, Sri Lanka": "(Pvt.) Ltd.|(Private) Limited|(SMC-Pvt) Ltd|(Guarantee) Limited|লিমিটেড|PLC|(Pvt) Limited",
    "Malaysia, Singapore, Brunei": "Sdn. Bhd.|Sendirian Berhad|Bhd.|Berhad|PLT|Pte. Ltd.|Pte. Limited|Private Ltd.|Pte|(S) Pte Ltd|(M) Sdn Bhd|(Malaysia) Sdn Bhd|(Singapore) Pte Ltd",
    "Indonesia": "Tbk|(Persero)|Persero Tbk|(Persero) Tbk|Perum",
    "Thailand": "Co., Ltd.|Public Company Limited|PCL|Public Co., Ltd.|จำกัด|จำกัด (มหาชน)|มหาชน",
    "Vietnam": "JSC|Joint Stock Company|Co., Ltd|CTCP",
    "Philippines": "OPC|Inc.|Corp.|Coop.|Enterprises Inc.",
    "Japan": "K.K.|Kabushiki Kaisha|Kabushiki Gaisha|G.K.|Godo Kaisha|Y.K.|Yugen Kaisha|株|有|合|Co., Ltd.|Co. Ltd|Company Limited",
    "Korea": "Co., Ltd.|주|유|Corp.",
    "China, Hong Kong, Taiwan": "Co., Ltd.|Co. Limited|Company Ltd.|(Group) Co., Ltd.|Group Co., Ltd.|Company Limited|Limited Company|Co., Inc.|WFOE|(HK) Ltd|(Hong Kong) Limited",
    "Africa": "Ltd.|GIE|SARLU|S.U.A.R.L.|RC|Gte|Ltd/Gte|PLC|Limited by Guarantee|(Proprietary) Limited|(U) Ltd|(K) Ltd|(T) Ltd|S.A.R.L. Unipersonnelle|Share Company|S.C.|P.L.C.",
    "Europe": "SE|SCE|EEIG|EWIV|Societas Europaea",
}  # fmt: skip

_IN_FRONT = {
    "Russia, Ukraine, Bulgaria, Kazakhstan": "ООО|ОАО|ЗАО|ПАО|АО|НАО|ИП|ТОО|ОДО|ЧП|ТОВ|ПрАТ|ПАТ|АТ|ПП|ФОП|ДП|ЕТ|ГУП|МУП|ФГУП|OOO|OAO|ZAO|PAO|TOV|Общество с ограниченной ответственностью|Акционерное общество|Публичное акционерное общество|Товариство з обмеженою відповідальністю|LLC|JSC|PJSC",
    "Indonesia": "PT|PT.|P.T.|CV|C.V.|UD|Firma|Perum|Koperasi",
    "Baltic and Nordic countries": "UAB|AB|SIA|AS|A/S|OÜ|MB|VšĮ|Oy|Ab Oy|Aktieselskabet|Aktiebolaget|T:mi|Tmi|MTÜ",
    "France": "SARL|S.A.R.L.|SAS|S.A.S.|EURL|SASU|SCI|SNC|SCEA|EARL|GAEC|Sté|Société|Ets|Établissements",
    "Romania": "S.C.|SC",
    "India": "M/s|M/s.|Messrs",
    "Japan": "Kabushiki Kaisha|K.K.|Yugen Kaisha|Godo Kaisha|株|有|合",
    "Korea": "주|유",
    "Thailand": "บริษัท|หจก|ห้างหุ้นส่วนจำกัด|บมจ|บจก",
    "Vietnam": "Công ty TNHH|Công ty Cổ phần|Công ty CP|CTCP|Công ty TNHH MTV|Công ty TNHH Một Thành Viên|Công ty|DNTN|CÔNG TY TNHH TM DV",
    "Georgia and Azerbaijan": "შპს|სს|ՍՊԸ",
    "Poland": "P.P.H.U.|PPHU|P.H.U.|PHU|F.H.U.|FHU",
    "Arab countries": "شركة|مؤسسة",
    "Iran": "شرکت",
}  # fmt: skip

# Forms that are written without a space before or after the name.
_ATTACHED = {
    "Japan": "株式会社|有限会社|合同会社|合資会社|合名会社|一般社団法人|一般財団法人|公益財団法人|公益社団法人|医療法人|学校法人|特定非営利活動法人",
    "China, Hong Kong, Taiwan": "有限公司|有限责任公司|股份有限公司|有限責任公司|股份公司",
    "Korea": "주식회사|유한회사|유한책임회사|합자회사|합명회사|재단법인|사단법인",
}  # fmt: skip

# Words of organisations: a name with one of them is not the name of a person.
_ORGANISATIONS = (
    "academy agencies agency airlines airways alliance and apotheke architects architekten associates association "
    "assurance assurances atelier auto autohaus automotive bakery banco bank banque bistro boutique brewery bros "
    "brothers building business bäckerei cafe café capital catering center central centre chemical chemicals "
    "cinema city clinic club coffee collective college comercial commerce commercial communications community "
    "company computer computers construction constructions construtora consult consultants consulting contractors "
    "cooperative corporate council county creative credit data delivery dental department design designs "
    "development digital direct distribuidora distribution distributors drogerie druck edition editorial education "
    "electric electrical electronics elektro empresa energia energy engineering enterprise enterprises "
    "entertainment entreprise equipment estate et export fabrik farm farms fashion federal finance financial first "
    "fitness food foods foundation freight fund funds furniture fédération garage gas general gesellschaft gestion "
    "global government graphics grill grocery group groupe grupo gruppe handels hardware haus health healthcare "
    "holding holdings hospital hotel hotels immobilien import importers industrial industrie industries "
    "ingenieurbüro ingenieure institut institute insurance international internet investment investments investors "
    "kitchen klinik kliniken lab laboratories laboratory labs leasing legal library logistics logistik machinery "
    "magazine management manufacturing market marketing markets maschinenbau materials media medical metal metals "
    "metro ministry mobile motor motors museum music national network networks of office oil online organisation "
    "organization packaging paper parking partner partners partnership petroleum pharma pharmaceuticals pharmacy "
    "photo pizza pizzeria plastics plumbing praxis press print printing productions products project projects "
    "properties property publishers publishing railway real realty rechtsanwälte records regional rental repair "
    "research resort resources restaurant retail school schools schule science sciences security service services "
    "servicios serviços shipping shop shops society société software solar solution solutions sons spedition sport "
    "sports stadtwerke state station stiftung storage store stores studio studios supermarket supplies supply "
    "system systems tax taxi tech technical technik technologies technology telecom telekom textile textiles the "
    "theater theatre tienda tools tourism toys trade traders trading training trans transport transportation "
    "transportes transports travel trust und union united university universität université utilities valley "
    "ventures verein verlag versicherung versicherungen video warehouse water web werke wholesale wine wines "
    "wireless works workshop world y банк группа дом завод компания магазин торговый"
)


def draw_legal_forms() -> str:
    """Return the text of the module, with a line for each kind and first letter."""
    lines = (
        f"{kind}\t{'|'.join(group)}\n"
        for kind, forms in _list_forms()
        for _, group in groupby(sorted(forms), key=itemgetter(0))
    )
    return _HEAD + "".join(lines) + '"""\n'


_HEAD = '''"""Legal forms of many countries, folded: where they are written, and their words.

Generated by tests/cldr_tables.py from the list in tests/legal_forms.py. `end`: after a name, `front`: before it,
`attached`: before or after it without a space. `word`: a word of organisations, which no person's name has. A tab
separates the columns, a bar the forms.
"""

TABLE = """\\
'''


def _list_forms() -> Iterator[tuple[str, set[str]]]:
    for kind, countries in (("end", _AT_END), ("front", _IN_FRONT), ("attached", _ATTACHED)):
        forms = [form for country in countries.values() for form in country.split("|")]
        yield kind, {_fold(form) for form in forms} | {_fold(form.replace(". ", ".")) for form in forms}
    yield "word", {_fold(word) for word in _ORGANISATIONS.split()}


def _fold(form: str) -> str:
    return " ".join(fold_words(form))
